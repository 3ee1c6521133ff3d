"""Questions between the two phases, in Elasticsearch."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gateway.store.elastic.indices import Indices, bytes_of, text_of
from gateway.store.stores import StoredQuestion

FORGET_SECONDS: Final = 600.0
"""Interval between deletions of expired questions."""


class ElasticsearchRetries:
    """A RetryStore. Every call may raise Unavailable."""

    def __init__(self, indices: Indices, keep_seconds: float) -> None:
        self._indices = indices
        self._keep_seconds = keep_seconds
        self._forget_after = 0.0

    async def put_question(self, question: StoredQuestion) -> None:
        """See RetryStore."""
        document = {
            "retry_key": question.retry_key,
            "fingerprint": question.fingerprint,
            "content": text_of(question.content),
            "session_id": question.session_id,
        }
        pointer = {"question": question.question_id, "session_id": question.session_id}

        def put() -> None:
            self._put("questions", question.question_id, document)
            if question.retry_key:
                self._put("questions", _retry_id(question.retry_key), pointer)
            self._forget_old()

        await self._indices.run(put)

    async def question(self, question_id: str) -> StoredQuestion | None:
        """See RetryStore."""
        return await self._indices.run(lambda: self._question(question_id))

    async def question_by_retry(self, retry_key: str) -> StoredQuestion | None:
        """See RetryStore."""

        def find() -> StoredQuestion | None:
            document = self._fresh("questions", _retry_id(retry_key))
            return None if document is None else self._question(document["question"])

        return await self._indices.run(find)

    def _question(self, question_id: str) -> StoredQuestion | None:
        document = self._fresh("questions", question_id)
        if document is None or "content" not in document:
            return None
        content, session_id = bytes_of(document["content"]), document.get("session_id", "")
        return StoredQuestion(question_id, document["retry_key"], document["fingerprint"], content, session_id)

    async def expire(self) -> None:
        """See RetryStore."""
        await self._indices.run(self._forget_old)

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See SessionData."""
        query = {"terms": {"session_id": [session_id for session_id in session_ids if session_id]}}

        await self._indices.run(lambda: self._indices.delete_matching("questions", query))

    def _put(self, kind: str, key: str, document: Mapping[str, Any]) -> None:
        self._indices.put(kind, key, {**document, "created": _milliseconds(time.time())})

    def _fresh(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """Return the stored document, or None if it is missing or expired."""
        document = self._indices.get(kind, key)
        if document is None or document.source["created"] <= self._oldest():
            return None
        return document.source

    def _forget_old(self) -> None:
        if time.monotonic() < self._forget_after:
            return
        self._forget_after = time.monotonic() + FORGET_SECONDS
        self._indices.delete_matching("questions", {"range": {"created": {"lte": self._oldest()}}})

    def _oldest(self) -> int:
        return _milliseconds(time.time() - self._keep_seconds)


def _retry_id(retry_key: str) -> str:
    """Hash a retry key, which may be too long for an id and contains principals."""
    return f"retry-{hashlib.sha256(retry_key.encode()).hexdigest()}"


def _milliseconds(seconds: float) -> int:
    return int(seconds * 1000)
