"""Roles of callers in collections, and what they allow; what a caller may not read does not exist."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Final, Protocol

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


class Roles(Protocol):
    """Knows the roles of callers."""

    def role(self, principals: Sequence[str], collection: str) -> Role:
        """Return the caller's role in a collection, which need not exist."""
        ...


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


class WritersAll:
    """Roles without grants: everybody writes everywhere, and nobody is an admin."""

    def role(self, principals: Sequence[str], collection: str) -> Role:
        """See Roles."""
        return Role.WRITE


def highest_role(grants: Iterable[Grant], principals: Sequence[str], collection: str) -> Role:
    """Return the highest role that grants give."""
    return max((grant.role for grant in grants if grant.applies(principals, collection)), default=Role.NONE)


@dataclass(frozen=True, slots=True)
class AccessGuard:
    """Checks roles."""

    roles: Roles = field(default_factory=WritersAll)

    @property
    def is_limited(self) -> bool:
        """Whether roles differ; otherwise everybody reads and writes, and nobody is an admin."""
        return not isinstance(self.roles, WritersAll)

    def role(self, principals: Sequence[str], collection: str) -> Role:
        """Return the caller's role in a collection; an empty name means the default one."""
        return self.roles.role(principals, collection or DEFAULT_COLLECTION)

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
