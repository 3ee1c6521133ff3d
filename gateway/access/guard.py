"""Decides what a caller may do in a collection; what a caller may not read does not exist."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gateway.access.roles import Role, Roles, WritersAll
from libs.runtime.errors import NotFound, PermissionDenied

DEFAULT_COLLECTION: Final = "default"
"""The collection of a request that names none."""


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
