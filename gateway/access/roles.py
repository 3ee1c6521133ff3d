"""Roles of callers in collections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Final, Protocol

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
