"""Connects the command to a Ray cluster, or starts one on this machine."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from cli.connection.gateway_connection import CommandError

LOCAL: Final = "local"
"""The address that stands for a cluster of this machine alone, started for this command."""
QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DATA_DISABLE_PROGRESS_BARS": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_raylet_start_wait_time_s": "120",
}
"""Ray reports nothing to its makers, draws nothing, leaves GPUs visible, and may start slowly on a busy machine."""


def check_installed() -> None:
    """Raise a CommandError if Ray is not installed."""
    if find_spec("ray") is None or find_spec("pyarrow") is None:
        raise CommandError("--ray needs Ray: install the extra, such as pip install 'parley[ray]'")


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Connect to the cluster, and leave it at the end.

    Args:
        address: `host:port` of the cluster's head, `auto` for the one of this machine, or `local` to start one.

    Raises:
        CommandError: Ray is not installed, or there is no cluster at the address.
    """
    check_installed()
    for variable, value in QUIET.items():
        os.environ.setdefault(variable, value)
    import ray  # needs a second, and only this option uses it

    with redirect_stdout(sys.stderr):  # where Ray says that a worker died
        yield from _connected(ray, address)


def _connected(ray: ModuleType, address: str) -> Iterator[None]:
    try:
        ray.init(address, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray raises what it likes, also plain exceptions
        raise CommandError(f"there is no Ray cluster at {address}: {error}") from None
    try:
        yield
    finally:
        ray.shutdown()
