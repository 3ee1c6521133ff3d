"""Access to the corpus, subject to permissions. The database is read in threads, so nothing blocks the event loop."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from libs.contracts.evidence import Passage, PassageKey
from libs.runtime.errors import NotFound
from libs.servicing.page_tokens import decode_token, encode_token
from services.retrieve.corpus import reading
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.database import Connection
from services.retrieve.corpus.deleting import delete_collection, delete_document
from services.retrieve.corpus.documents import Document, DocumentSummary, StoredImage
from services.retrieve.corpus.originals import Original, original
from services.retrieve.corpus.permissions import Caller
from services.retrieve.sources.web import is_web_id
from services.retrieve.sources.web_store import KeptPassages

T = TypeVar("T")
Principals = Sequence[str]
Lookup = Callable[[Connection, str, str, Principals], T | None]
"""Reads one thing, given its collection and its id; None if the principals may see none."""


@dataclass(frozen=True, slots=True)
class PassageLookup:
    """What is known of a passage."""

    visible: bool = False
    """Whether its document exists and the caller may see it."""
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class ListingPage:
    """Documents of a collection, by id."""

    documents: tuple[DocumentSummary, ...]
    next_page_token: str = ""
    """Empty on the last page."""


@dataclass(frozen=True, slots=True)
class CorpusAccess:
    """Reads and deletes documents. What a caller may not see is reported as not found."""

    corpus: Corpus
    web: KeptPassages | None = None
    """Stores the web passages that served as evidence."""

    async def document(self, collection: str, document_id: str, principals: Principals) -> Document:
        """A document without vectors and without its pictures' bytes.

        Raises:
            NotFound: the collection does not exist, or the principals may see no such document.
        """
        return await self._found("document", document_id, collection, principals, reading.document)

    async def passage(self, collection: str, passage_id: str, principals: Principals) -> Passage:
        """A passage of the corpus or of the web; raises as `document`."""
        passages = await self._read(
            collection, principals, lambda c: reading.passages(c, collection, [passage_id], principals)
        )
        passage = passages.get(passage_id)
        if passage is None and self.web is not None:
            passage = await asyncio.to_thread(self.web.get, passage_id)
        if passage is None:
            raise NotFound("passage", passage_id)
        return passage

    async def image(self, collection: str, image_id: str, principals: Principals) -> StoredImage:
        """A picture with its bytes; raises as `document`."""
        return await self._found("image", image_id, collection, principals, reading.image)

    async def original(self, collection: str, document_id: str, principals: Principals) -> Original:
        """A document that has a file; raises as `document`, also if no file is stored."""
        return await self._found("original", document_id, collection, principals, original)

    async def page(self, collection: str, size: int, token: str, principals: Principals) -> ListingPage:
        """A page of a collection's documents.

        Raises:
            NotFound: the collection does not exist.
            InvalidInput: the token does not come from an earlier page.
        """
        after = decode_token(token, str)
        documents = await self._read(
            collection, principals, lambda c: reading.documents_after(c, collection, after, size + 1, principals)
        )
        more = len(documents) > size
        return ListingPage(tuple(documents[:size]), encode_token(documents[size - 1].document_id) if more else "")

    async def delete_document(self, collection: str, document_id: str, caller: Caller) -> None:
        """Delete a document from every engine at once.

        Raises:
            NotFound: the collection or the document does not exist for the caller.
            PermissionDenied: it belongs to others.
        """
        await asyncio.to_thread(self.corpus.require, collection, caller)
        if not await asyncio.wrap_future(self.corpus.write(delete_document, collection, document_id, caller)):
            raise NotFound("document", document_id)

    async def delete_collection(self, name: str, caller: Caller) -> None:
        """Delete a collection with its content; raises as `delete_document`. `default` is recreated empty at once."""
        if not await asyncio.wrap_future(self.corpus.write(delete_collection, name, caller)):
            raise NotFound("collection", name)

    async def _found(self, kind: str, name: str, collection: str, principals: Principals, query: Lookup[T]) -> T:
        found = await self._read(collection, principals, lambda c: query(c, collection, name, principals))
        if found is None:
            raise NotFound(kind, name)
        return found

    async def _read(self, collection: str, principals: Principals, query: Callable[[Connection], T]) -> T:
        def read() -> T:
            self.corpus.require(collection, Caller(tuple(principals)))
            return self.corpus.read(query)

        return await asyncio.to_thread(read)

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Principals, *, content: bool
    ) -> list[PassageLookup]:
        """Return what is known of each passage, in the order of the keys, with its `content` if asked for."""
        return await asyncio.to_thread(self._look_up, keys, principals, content)

    def _look_up(self, keys: Sequence[PassageKey], principals: Principals, content: bool) -> list[PassageLookup]:
        lookups: dict[PassageKey, PassageLookup] = {}
        for collection in {key.collection for key in keys}:
            own_keys = [key for key in keys if key.collection == collection]
            lookups |= self.corpus.read(_in_corpus, collection, own_keys, principals, content)
        for key in lookups:
            if not lookups[key].visible and is_web_id(key.document_id):
                passage = self.web.get(key.passage_id) if content and self.web is not None else None
                lookups[key] = PassageLookup(True, passage)
        return [lookups[key] for key in keys]


def _in_corpus(
    connection: Connection, collection: str, keys: Sequence[PassageKey], principals: Principals, content: bool
) -> Mapping[PassageKey, PassageLookup]:
    visible_ids = reading.visible_documents(connection, collection, [key.document_id for key in keys], principals)
    passage_ids = [key.passage_id for key in keys if content]
    passages = reading.passages(connection, collection, passage_ids, principals)
    lookups: dict[PassageKey, PassageLookup] = {}
    for key in keys:
        passage = passages.get(key.passage_id)
        is_own = passage is not None and passage.document_id == key.document_id
        lookups[key] = PassageLookup(key.document_id in visible_ids, passage if is_own else None)
    return lookups
