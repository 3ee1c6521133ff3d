"""Both stores in an Elasticsearch that several gateways share.

A conversation only replaces the copy that was read (checked by sequence number and primary term), so if two gateways
answer the same session, one of them gets a conflict. Everything is read by id, which sees each acknowledged write at
once. Content is opaque here and is not indexed.
"""

import asyncio
import base64
import hashlib
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gateway.store.contexts import StoredContext, StoredQuestion
from libs.elastic.server import ElasticsearchServer, elasticsearch_server
from libs.elastic.settings import ElasticsearchSettings
from libs.runtime.errors import Conflict

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

T = TypeVar("T")

MAPPINGS: Final = {
    "dynamic": "strict",
    "properties": {
        "version": {"type": "long", "index": False, "doc_values": False},
        "content": {"type": "binary"},
        "events": {"type": "binary"},
        "question": {"type": "keyword", "index": False, "doc_values": False},
        "retry_key": {"type": "keyword", "index": False, "doc_values": False},
        "fingerprint": {"type": "keyword", "index": False, "doc_values": False},
        "created": {"type": "date", "format": "epoch_millis"},
    },
}
FORGET_SECONDS: Final = 600.0
"""Interval between deletions of expired questions and answers."""
FORGOTTEN_AT_ONCE: Final = 1000


class ElasticsearchStore:
    """A ContextStore and a TurnStore, created by `elasticsearch_store`. Every call may raise Unavailable."""

    def __init__(
        self, server: ElasticsearchServer, settings: ElasticsearchSettings, threads: ThreadPoolExecutor, keep: float
    ) -> None:
        self._server = server
        self._settings = settings
        self._threads = threads
        self._keep_seconds = keep
        self._indices_exist = False
        self._forget_after = 0.0

    async def load(self, session_id: str) -> StoredContext | None:
        """See ContextStore."""
        document = await self._run(lambda: self._get("sessions", session_id))
        if document is None:
            return None
        return StoredContext(_bytes(document["_source"]["content"]), document["_source"]["version"])

    async def save(self, session_id: str, content: bytes, version: int) -> None:
        """See ContextStore."""
        if not await self._run(lambda: self._save(session_id, content, version)):
            raise Conflict(
                "SESSION_CONFLICT", "Another turn of this session was stored first.", {"session_id": session_id}
            )

    def _save(self, session_id: str, content: bytes, version: int) -> bool:
        from elasticsearch import ConflictError

        condition: Mapping[str, Any] = {"op_type": "create"}
        if version > 1:
            document = self._get("sessions", session_id)
            if document is None or document["_source"]["version"] != version - 1:
                return False
            condition = {"if_seq_no": document["_seq_no"], "if_primary_term": document["_primary_term"]}
        try:
            self._put("sessions", session_id, {"content": _text(content), "version": version}, **condition)
        except ConflictError:
            return False
        return True

    async def put_question(self, question: StoredQuestion) -> None:
        """See TurnStore."""
        document = {
            "retry_key": question.retry_key,
            "fingerprint": question.fingerprint,
            "content": _text(question.content),
        }

        def put() -> None:
            self._put("questions", question.question_id, document)
            if question.retry_key:
                self._put("questions", _retry_id(question.retry_key), {"question": question.question_id})
            self._forget_old()

        await self._run(put)

    async def question(self, question_id: str) -> StoredQuestion | None:
        """See TurnStore."""
        return await self._run(lambda: self._question(question_id))

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """See TurnStore."""

        def find() -> StoredQuestion | None:
            document = self._fresh("questions", _retry_id(retry_key))
            return None if document is None else self._question(document["question"])

        return await self._run(find)

    def _question(self, question_id: str) -> StoredQuestion | None:
        document = self._fresh("questions", question_id)
        if document is None or "content" not in document:
            return None
        return StoredQuestion(question_id, document["retry_key"], document["fingerprint"], _bytes(document["content"]))

    async def put_answer(self, retry_key: str, fingerprint: str, events: Sequence[bytes]) -> None:
        """See TurnStore."""
        document = {"fingerprint": fingerprint, "events": [_text(event) for event in events]}
        await self._run(lambda: self._put("answers", _retry_id(retry_key), document))

    async def answer(self, retry_key: str) -> tuple[str, Sequence[bytes]] | None:
        """See TurnStore."""
        document = await self._run(lambda: self._fresh("answers", _retry_id(retry_key)))
        return None if document is None else (document["fingerprint"], [_bytes(event) for event in document["events"]])

    def _fresh(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """Return the stored document, or None if it is missing or expired."""
        document = self._get(kind, key)
        if document is None or document["_source"]["created"] <= _milliseconds(time.time() - self._keep_seconds):
            return None
        source: Mapping[str, Any] = document["_source"]
        return source

    def _get(self, kind: str, key: str) -> Mapping[str, Any] | None:
        from elasticsearch import NotFoundError

        try:
            document: Any = self._server.ask(lambda client: client.get(index=self._index(kind), id=key))
        except NotFoundError:
            return None
        return dict(document)

    def _put(self, kind: str, key: str, document: Mapping[str, Any], **condition: Any) -> None:
        self._make_indices()
        whole = {**document, "created": _milliseconds(time.time())}
        self._server.ask(lambda client: client.index(index=self._index(kind), id=key, document=whole, **condition))

    def _make_indices(self) -> None:
        if not self._indices_exist:
            for kind in ("sessions", "questions", "answers"):
                self._server.ask_patiently(lambda client, kind=kind: self._make(client, self._index(kind)))  # type: ignore[misc]
            self._indices_exist = True

    def _make(self, client: "Elasticsearch", index: str) -> None:
        from elasticsearch import BadRequestError

        if client.indices.exists(index=index):
            return
        settings = {"number_of_shards": self._settings.shards, "auto_expand_replicas": self._settings.replicas}
        try:
            client.indices.create(index=index, settings=settings, mappings=MAPPINGS)
        except BadRequestError:  # another gateway created it first
            if not client.indices.exists(index=index):
                raise

    def _forget_old(self) -> None:
        if time.monotonic() < self._forget_after:
            return
        self._forget_after = time.monotonic() + FORGET_SECONDS
        oldest = _milliseconds(time.time() - self._keep_seconds)
        for kind in ("questions", "answers"):
            index = self._index(kind)
            self._server.ask_patiently(lambda client, index=index: _forget(client, index, oldest))  # type: ignore[misc]

    def _index(self, kind: str) -> str:
        return f"{self._settings.prefix}-{kind}"

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


@asynccontextmanager
async def elasticsearch_store(
    settings: ElasticsearchSettings, keep_seconds: float
) -> AsyncIterator[ElasticsearchStore]:
    """Open the store and close it at the end; no request is sent yet, so the server may be down.

    Raises:
        ValueError: the URL is invalid.
    """
    with (
        elasticsearch_server(settings) as server,
        ThreadPoolExecutor(settings.connections, thread_name_prefix="sessions") as threads,
    ):
        yield ElasticsearchStore(server, settings, threads, keep_seconds)


def _forget(client: "Elasticsearch", index: str, oldest: int) -> None:
    old = {"range": {"created": {"lte": oldest}}}
    response = client.search(index=index, query=old, size=FORGOTTEN_AT_ONCE, source=False, ignore_unavailable=True)
    deletions = [{"delete": {"_id": hit["_id"]}} for hit in response["hits"]["hits"]]
    if deletions:
        client.bulk(index=index, operations=deletions)


def _retry_id(retry_key: str) -> str:
    """Hash a retry key, which may be too long for an id and contains principals."""
    return f"retry-{hashlib.sha256(retry_key.encode()).hexdigest()}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)
