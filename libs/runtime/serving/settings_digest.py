"""A digest of a process's settings: equal for two processes that are configured alike."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from libs.runtime.settings import settings_file

SECRETS: Final = ("key", "password", "token", "secret")
"""Settings whose name ends so are left out: a digest must not help to guess them."""
OWN: Final = ("server_", "config", "port")
"""How names of settings begin in which processes that do the same may differ: addresses, limits, logs."""
MOST_BYTES: Final = 4 * 1024 * 1024
"""Files beyond this size count by their size alone."""


def settings_digest() -> str:
    """Return a digest of the settings from the environment and the TOML file.

    A file that a setting names counts with its content, and so do the text files in a folder that a setting names,
    such as prompts of one's own.
    """
    digest = hashlib.blake2b(digest_size=16)
    for name, value in sorted({**_file_settings(), **_variables()}.items()):
        if not name.endswith(SECRETS) and not name.startswith(OWN):
            digest.update(f"{name}\0{value}\0".encode())
            for content in _contents(value):
                digest.update(content)
    return digest.hexdigest()


def _variables() -> dict[str, str]:
    prefix = "PARLEY_"
    return {name.removeprefix(prefix).lower(): value for name, value in os.environ.items() if name.startswith(prefix)}


def _file_settings() -> dict[str, str]:
    return {name.replace("__", "_", 1): str(value) for name, value in _flat(settings_file())}


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}__")
        else:
            yield f"{prefix}{name}", value


def _contents(value: str) -> Iterator[bytes]:
    try:
        path = Path(value)
        files = [path] if path.is_file() else sorted(path.glob("*.txt")) if value and path.is_dir() else []
        for file in files:
            size = file.stat().st_size
            yield f"{file.name}\0{size}\0".encode()
            if size <= MOST_BYTES:
                yield file.read_bytes()
    except (OSError, ValueError):  # not a path, or one that cannot be read
        return
