"""Looks up many passages at once, for what was stored of them elsewhere: who may see it, and what it says by now."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.evidence import Passage
from services.retrieve.corpus import reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.database import Connection
from services.retrieve.sources.web import is_web_id
from services.retrieve.sources.web_store import KeptPassages

KEYS_AT_ONCE: Final = 200
"""Keys that one query looks up."""


@dataclass(frozen=True, slots=True)
class PassageKey:
    """Names a passage and the document to which it belongs or once belonged."""

    collection: str
    document_id: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class PassageLookup:
    """What is known of a passage."""

    visible: bool = False
    """Whether its document exists and the caller may see it."""
    passage: Passage | None = None


class PassageLookups:
    """Looks up passages of the corpus and of the web."""

    def __init__(self, corpus: Corpus, web: KeptPassages | None = None) -> None:
        """`web` stores the web passages that served as evidence."""
        self._corpus = corpus
        self._web = web

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> list[PassageLookup]:
        """Return what is known of each passage, in the order of the keys.

        Args:
            keys: the passages; an unknown collection has none.
            principals: all principals of the caller.
            content: whether to return the passages as well.
        """
        return await asyncio.to_thread(self._look_up, keys, principals, content)

    def _look_up(self, keys: Sequence[PassageKey], principals: Sequence[str], content: bool) -> list[PassageLookup]:
        by_collection: dict[str, list[PassageKey]] = defaultdict(list)
        for key in dict.fromkeys(keys):
            by_collection[key.collection].append(key)
        lookups: dict[PassageKey, PassageLookup] = {}
        for collection, own_keys in by_collection.items():
            for start in range(0, len(own_keys), KEYS_AT_ONCE):
                some = own_keys[start : start + KEYS_AT_ONCE]
                lookups |= self._in_corpus(collection, some, principals, content)
        return [lookups[key] if lookups[key].visible else self._on_web(key, content) for key in keys]

    def _in_corpus(
        self, collection: str, keys: Sequence[PassageKey], principals: Sequence[str], content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        def read(connection: Connection) -> tuple[set[str], Mapping[str, Passage]]:
            document_ids = list({key.document_id for key in keys})
            visible_ids = reading.visible_documents(connection, collection, document_ids, principals)
            passage_ids = [key.passage_id for key in keys if content and key.document_id in visible_ids]
            rows = reading.keys_of_passages(connection, collection, passage_ids, principals)
            passages = reading.passages_of_keys(connection, rows.values())
            return visible_ids, {passage_id: passages[row] for passage_id, row in rows.items()}

        visible_ids, passages = self._corpus.read(read)
        return {key: _lookup(key, visible_ids, passages) for key in keys}

    def _on_web(self, key: PassageKey, content: bool) -> PassageLookup:
        if not is_web_id(key.document_id):
            return PassageLookup()
        return PassageLookup(True, self._web.get(key.passage_id) if content and self._web is not None else None)


def _lookup(key: PassageKey, visible_ids: set[str], passages: Mapping[str, Passage]) -> PassageLookup:
    passage = passages.get(key.passage_id)
    own = passage if passage is not None and passage.document_id == key.document_id else None
    return PassageLookup(key.document_id in visible_ids, own)
