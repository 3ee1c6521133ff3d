"""Lookups of passages that stored turns and recordings cite, by today's roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gateway.access.guard import AccessGuard
from gateway.session.reference_access import PassageKey, PassageLookup, PassageLookups


@dataclass(frozen=True, slots=True)
class GrantedLookups:
    """PassageLookups to which collections that the caller may not read are closed."""

    lookups: PassageLookups
    guard: AccessGuard

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        """See PassageLookups."""
        granted = [key for key in keys if self.guard.reads(principals, key.collection)]
        known = await self.lookups.look_up(granted, principals, content=content) if granted else {}
        return {key: known.get(key, PassageLookup()) for key in keys}
