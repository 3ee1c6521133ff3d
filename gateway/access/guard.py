"""Roles of callers in collections, by a file of grants; what a caller may not read does not exist.

A check looks at the file at most once a second, and reads it at once if it has changed.
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from libs.runtime.errors import NotFound, PermissionDenied
from libs.runtime.security.watched_files import WatchedFiles
from libs.runtime.settings import AreaSettings, faults_in

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


class Grant(BaseModel):
    """A role for a principal in collections."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    principal: str = Field(min_length=1)
    """A name that callers have (`gateway.access.principals`), or `*` for everybody."""
    collection: str = Field(min_length=1)
    """A name, or a pattern with `*`, `?` and `[…]`."""
    role: Literal["read", "write", "admin"]

    def applies(self, principals: Sequence[str], collection: str) -> bool:
        """Whether a caller has this role in a collection."""
        return self.principal in (EVERYBODY, *principals) and fnmatchcase(collection, self.collection)


class Grants(BaseModel):
    """The content of a file of grants."""

    model_config = ConfigDict(extra="forbid")

    grant: tuple[Grant, ...] = ()


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
        granted = (grant.role for grant in self.grants() if grant.applies(principals, name))
        return max((Role[role.upper()] for role in granted), default=Role.NONE)

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
    return AccessGuard(WatchedFiles([path], lambda: read_grants(path), settings.variable("grants")).current)


def read_grants(path: Path) -> tuple[Grant, ...]:
    """Read the grants of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not TOML, or a table is wrong; says which.
    """
    try:
        return Grants.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).grant
    except ValidationError as error:
        raise ValueError(f"{path}: {faults_in(error, 'the file')}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: not TOML: {error}") from None
