"""Waiting for what another process does."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Return once it holds; fail when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
