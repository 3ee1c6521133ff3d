"""Roles of callers in collections, and what they allow; what a caller may not read does not exist."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Final

from libs.runtime.errors import NotFound, PermissionDenied

DEFAULT_COLLECTION: Final = "default"
"""The collection of a request that names none."""
EVERYBODY: Final = "*"
"""The principal of a grant for all callers, also those without principals."""


class Role(IntEnum):
    """What a caller may do in a collection; each role includes the ones before it."""

    NONE = 0
    """The collection does not exist for the caller."""
    READ = 1
    WRITE = 2
    """Put documents, and replace and delete the caller's own."""
    ADMIN = 3
    """Replace and delete everybody's documents, and the collection."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A role for a principal in collections."""

    principal: str
    """A principal, or `*` for everybody."""
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
            message = f"This needs the role {needed} in the collection {name!r}."
            raise PermissionDenied("ROLE_REQUIRED", message, {"collection": name, "role": needed})
