"""Roles of callers in collections, by a file of grants; what a caller may not read does not exist.

A check looks at the file at most once a second, and reads it at once if it has changed.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from libs.runtime.errors import NotFound, PermissionDenied
from libs.runtime.security.watched_files import WatchedFiles, reason_of
from libs.runtime.settings import AreaSettings, SettingsError

DEFAULT_COLLECTION: Final = "default"
"""The collection of a request that names none."""
EVERYBODY: Final = "*"
"""The principal of a grant for all callers, also those without principals."""


class AccessSettings(AreaSettings, area="access"):
    """Who may read, write and administer which collection."""

    grants: Path | None = Field(default=None)
    """TOML file with the roles of principals in collections: `[[grant]]` tables of `principal`, `collection` and `role`
    (`read`, `write` or `admin`). Without it everybody writes everywhere, and documents belong to who put them. Read
    anew when it changes."""


class Role(IntEnum):
    """What a caller may do in a collection; each role includes the ones before it."""

    NONE = 0
    """The collection does not exist for the caller."""
    READ = 1
    WRITE = 2
    """Put documents, and replace and delete the caller's own."""
    ADMIN = 3
    """Replace and delete everybody's documents, and the collection."""


KEYS: Final = ("principal", "collection", "role")
ROLES: Final = {role.name.lower(): role for role in Role if role is not Role.NONE}


@dataclass(frozen=True, slots=True)
class Grant:
    """A role for a principal in collections."""

    principal: str
    """A name that callers have (`gateway.access.principals`), or `*` for everybody."""
    collection: str
    """A name, or a pattern with `*`, `?` and `[…]`."""
    role: Role

    def applies(self, principals: Sequence[str], collection: str) -> bool:
        """Whether a caller has this role in a collection."""
        return self.principal in (EVERYBODY, *principals) and fnmatchcase(collection, self.collection)


@dataclass(frozen=True, slots=True)
class AccessGuard:
    """Checks roles."""

    grants: Callable[[], Iterable[Grant]] | None = None
    """The present grants; None: everybody reads and writes everywhere, and nobody is an admin."""

    @property
    def is_limited(self) -> bool:
        """Whether roles differ."""
        return self.grants is not None

    def role(self, principals: Sequence[str], collection: str) -> Role:
        """Return the caller's highest role in a collection, which need not exist; an empty name: the default one."""
        if self.grants is None:
            return Role.WRITE
        name = collection or DEFAULT_COLLECTION
        return max((grant.role for grant in self.grants() if grant.applies(principals, name)), default=Role.NONE)

    def reads(self, principals: Sequence[str], collection: str) -> bool:
        """Whether the collection exists for the caller."""
        return self.role(principals, collection) >= Role.READ

    def administers(self, principals: Sequence[str], collection: str) -> bool:
        """Whether the caller may change what belongs to others."""
        return self.role(principals, collection) >= Role.ADMIN

    def require(self, principals: Sequence[str], collection: str, role: Role) -> None:
        """Return if the caller has a role in a collection, or a higher one.

        Raises:
            NotFound: the caller has none (reason COLLECTION_NOT_FOUND).
            PermissionDenied: the role is lower (reason ROLE_REQUIRED).
        """
        own = self.role(principals, collection)
        name = collection or DEFAULT_COLLECTION
        if own is Role.NONE:
            raise NotFound("collection", name)
        if own < role:
            needed = role.name.lower()
            message = f"This needs the role {needed} in the collection {name!r}: ask its admin for a grant."
            raise PermissionDenied("ROLE_REQUIRED", message, {"collection": name, "role": needed})


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
        raise ValueError(f"{path}: may contain only [[grant]] tables")
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
