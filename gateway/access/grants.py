"""Grants from a TOML file, which is read anew when it changes."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from gateway.access.guard import AccessGuard, Grant, Role
from libs.runtime.security.watched_files import WatchedFiles, reason_of
from libs.runtime.settings import AreaSettings, SettingsError

KEYS: Final = ("principal", "collection", "role")
ROLES: Final = {role.name.lower(): role for role in Role if role is not Role.NONE}


class AccessSettings(AreaSettings, area="access"):
    """Who may read, write and administer which collection."""

    grants: Path | None = Field(default=None)
    """TOML file with the roles of principals in collections: `[[grant]]` tables of `principal`, `collection` and `role`
    (`read`, `write` or `admin`). Without it everybody writes everywhere, and documents belong to who put them. Read
    anew when it changes."""


def open_guard(settings: AccessSettings) -> AccessGuard:
    """Return the guard by the grants that the settings name.

    Raises:
        SettingsError: the file of grants cannot be used.
    """
    path = settings.grants
    if path is None:
        return AccessGuard()
    try:
        return AccessGuard(WatchedFiles([path], lambda: read_grants(path)).current)
    except (OSError, ValueError) as error:
        raise SettingsError(f"{settings.variable('grants')}: {reason_of(error)}") from None


def read_grants(path: Path) -> tuple[Grant, ...]:
    """Read the grants of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not TOML, or a table is wrong; says which.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not TOML: {error}") from None
    tables = content.pop("grant", [])
    if content or not isinstance(tables, list):
        raise ValueError(f"{path}: must have nothing but [[grant]] tables")
    return tuple(_grant(table, f"{path}: grant {number}") for number, table in enumerate(tables, 1))


def _grant(table: Mapping[str, Any], place: str) -> Grant:
    if not isinstance(table, dict) or sorted(table) != sorted(KEYS):
        raise ValueError(f"{place}: must have exactly the keys {', '.join(KEYS)}")
    principal, collection, role = (table[key] for key in KEYS)
    if not (isinstance(principal, str) and principal and isinstance(collection, str) and collection):
        raise ValueError(f"{place}: principal and collection must be texts that are not empty")
    if not isinstance(role, str) or role not in ROLES:
        raise ValueError(f"{place}: role must be {', '.join(ROLES)}")
    return Grant(principal, collection, ROLES[role])
