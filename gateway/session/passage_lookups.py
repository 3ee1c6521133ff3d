"""Asks the retrieve stage about passages that stored turns cite."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.access.guard import AccessGuard
from gateway.session.reference_access import PassageKey, PassageLookup
from libs.contracts.wire.codec import from_message
from parley.retrieve.v1 import corpus_pb2

KEYS_AT_ONCE: Final = 1000
"""Maximum number of keys of a request, by the contract."""


class CorpusLookups:
    """PassageLookups by CorpusService.LookUpPassages; collections that the caller may not read are closed to it."""

    def __init__(self, corpus: Any, guard: AccessGuard) -> None:
        """`corpus` is the stage's servicer, or a `Forwarding` to it."""
        self._corpus = corpus
        self._guard = guard

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        """See PassageLookups."""
        lookups = dict.fromkeys(keys, PassageLookup())
        granted = [key for key in keys if self._guard.reads(principals, key.collection)]
        for start in range(0, len(granted), KEYS_AT_ONCE):
            some = granted[start : start + KEYS_AT_ONCE]
            request = corpus_pb2.LookUpPassagesRequest(principals=principals, content=content)
            for key in some:
                request.keys.add(collection=key.collection, document_id=key.document_id, passage_id=key.passage_id)
            response = await self._corpus.LookUpPassages(request, None)
            answers = (from_message(lookup, PassageLookup) for lookup in response.lookups)
            lookups |= dict(zip(some, answers, strict=True))
        return lookups
