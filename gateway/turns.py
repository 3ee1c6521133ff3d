"""Turns from request to stored conversation: both phases, each safe to retry by request_id.

A turn whose caller disconnects is stored as cancelled; a turn that fails is not stored.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from gateway.conversations import Conversation, Conversations
from gateway.draft import Draft
from gateway.event_stream import Emit, stream_events
from gateway.events import Completed, Event, UsageReport
from gateway.pipeline import Pipeline
from gateway.recording.turn_recording import NoRecorder, TurnRecorder
from gateway.request import TurnOptions, TurnRequest
from gateway.store.retries import RetryStore, StoredQuestion
from gateway.understanding import UnderstandingPhase
from libs.contracts.answers import Answer
from libs.contracts.query import DecisionRecord
from libs.contracts.session import Outcome, Turn
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded
from libs.runtime.errors import FailedPrecondition, InvalidInput, NotFound, ParleyError


@dataclass(frozen=True, slots=True)
class SuppliedQuestion:
    """The result of phase 1 for a question."""

    question_id: str
    session_id: str
    record: DecisionRecord
    understanding: Understanding
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question between its phases: the request, the result of phase 1, and the version of its session."""

    request: TurnRequest
    supplied: SuppliedQuestion
    turn: Turn
    version: int


class TurnCodec(Protocol):
    """Encodes questions and events as bytes for the store, and decodes them."""

    def pending_to_bytes(self, pending: PendingQuestion) -> bytes:
        """Encode a pending question."""
        ...

    def pending_from_bytes(self, content: bytes) -> PendingQuestion:
        """Decode a pending question."""
        ...

    def event_to_bytes(self, event: Event) -> bytes:
        """Encode an event."""
        ...

    def event_from_bytes(self, content: bytes) -> Event:
        """Decode an event."""
        ...


@dataclass(slots=True)
class Turns:
    """Accepts questions and answers them."""

    conversations: Conversations
    store: RetryStore
    codec: TurnCodec
    understanding: UnderstandingPhase
    pipeline: Pipeline
    models: frozenset[str] = frozenset()
    """The language models that a request may choose."""
    recorder: TurnRecorder = field(default_factory=NoRecorder)
    _running: dict[str, asyncio.Event] = field(default_factory=dict)

    async def supply(self, request: TurnRequest) -> SuppliedQuestion:
        """Phase 1: understand the question and keep it for phase 2.

        Raises:
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
            InvalidInput: the request chooses a language model that is not offered.
            ParleyError: see `Conversations.open` and `UnderstandingPhase.run`.
        """
        self._refuse_unoffered(request.options)
        key = _retry_key(request.request_id, request.principals)
        async with self._exclusive(key):
            question = await self.store.question_by_retry(key) if key else None
            if question is not None:
                _refuse_reuse(question.fingerprint, fingerprint(request))
                return self.codec.pending_from_bytes(question.content).supplied
            return await self._supply(request, key)

    async def _supply(self, request: TurnRequest, key: str) -> SuppliedQuestion:
        conversation = await self.conversations.open(request)
        draft = _draft(request, conversation)
        degraded: list[Degraded] = []
        async with (
            self.recorder.record(draft, conversation.session_id),
            self.understanding.run(
                draft, lambda event: degraded.append(event) if isinstance(event, Degraded) else None
            ) as finish,
        ):
            await finish()
        if draft.record is None or draft.understanding is None:
            raise ParleyError("STAGE_FAILED", "The question was not understood.")
        session_id = conversation.session_id
        supplied = SuppliedQuestion(draft.question_id, session_id, draft.record, draft.understanding, tuple(degraded))
        pending = PendingQuestion(request, supplied, draft.turn(), conversation.version)
        content = self.codec.pending_to_bytes(pending)
        await self.store.put_question(StoredQuestion(draft.question_id, key, fingerprint(request), content, session_id))
        return supplied

    async def answer(
        self, question_id: str, request_id: str, principals: tuple[str, ...]
    ) -> AsyncGenerator[Event, None]:
        """Phase 2: yield the events of a question from phase 1, without repeating the work of phase 1.

        Raises:
            NotFound: there is no such pending question (reason QUESTION_NOT_FOUND).
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
        """
        question = await self.store.question(question_id)
        pending = self.codec.pending_from_bytes(question.content) if question is not None else None
        if pending is None or pending.request.principals != principals:
            raise NotFound("question", question_id, reason="QUESTION_NOT_FOUND")
        conversation = await self.conversations.reopen(pending.request, pending.supplied.session_id, pending.version)
        draft = _resume(pending, conversation)

        async def work(emit: Emit) -> None:
            emit(pending.supplied.record)
            emit(pending.supplied.understanding)
            for degraded in pending.supplied.degraded:
                emit(degraded)
            draft.activities.emit = emit if pending.request.options.progress else None
            with self.pipeline.open_retrieval(draft, emit) as retrieve:
                async with self._store_if_cancelled(draft, conversation):
                    await self.pipeline.run(draft, retrieve, emit)
                    await self._finish(draft, conversation, emit)

        async with aclosing(self._retriable(question_id, request_id, principals, question_id, work)) as events:
            async for event in events:
                yield event

    async def ask(self, request: TurnRequest) -> AsyncGenerator[Event, None]:
        """Both phases: yield the events of the turn; a retry of an answered request_id yields the stored events.

        Raises:
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
            InvalidInput: the request chooses a language model that is not offered.
            ParleyError: the turn failed; see the phases.
        """
        self._refuse_unoffered(request.options)
        question_id = _new_id()

        async def work(emit: Emit) -> None:
            conversation = await self.conversations.open(request)
            draft = _draft(request, conversation, question_id)
            draft.activities.emit = emit if request.options.progress else None
            with self.pipeline.open_retrieval(draft, emit) as retrieve:
                async with self._store_if_cancelled(draft, conversation):
                    with self.pipeline.open_speculation(draft, retrieve, emit) as ahead:
                        async with self.understanding.run(draft, emit, ahead) as finish:
                            await self.pipeline.run(draft, retrieve, emit, ahead)
                            await finish()
                    await self._finish(draft, conversation, emit)

        mark = fingerprint(request) if request.request_id else ""
        turn = self._retriable(question_id, request.request_id, request.principals, mark, work)
        async with aclosing(turn) as events:
            async for event in events:
                yield event

    def _refuse_unoffered(self, options: TurnOptions) -> None:
        for name, model in (("rewriter_model", options.rewriter_model), ("answer_model", options.answer_model)):
            if model and model not in self.models:
                raise InvalidInput(f"options.{name}", "This language model is not offered here.")

    async def _finish(self, draft: Draft, conversation: Conversation, emit: Emit) -> None:
        handle = await self.conversations.add(conversation, draft.turn())
        milliseconds = (time.perf_counter() - draft.start_time) * 1000
        emit(UsageReport(tuple(draft.usage), round(milliseconds, 3)))
        answer = draft.answer or Answer("")
        outcome = draft.outcome or Outcome.ANSWERED
        emit(Completed(outcome, answer.abstain_score, handle.context, handle.session_id, answer.abstains))

    @asynccontextmanager
    async def _store_if_cancelled(self, draft: Draft, conversation: Conversation) -> AsyncIterator[None]:
        try:
            async with self.recorder.record(draft, conversation.session_id):
                yield
        except asyncio.CancelledError:
            draft.outcome = Outcome.CANCELLED
            if conversation.session is not None:
                await asyncio.shield(self.conversations.add(conversation, draft.turn()))
            raise

    async def _retriable(
        self,
        turn_id: str,
        request_id: str,
        principals: tuple[str, ...],
        mark: str,
        work: Callable[[Emit], Awaitable[None]],
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of the work, or the stored events of an earlier call with the same request_id."""
        key = _retry_key(request_id, principals)
        async with self._exclusive(key):
            answer = await self.store.answer(key) if key else None
            if answer is not None:
                _refuse_reuse(answer[0], mark)
                for content in answer[1]:
                    yield self.codec.event_from_bytes(content)
                return
            contents: list[bytes] = []
            async with aclosing(stream_events(turn_id, work)) as events:
                async for event in events:
                    if key:
                        contents.append(self.codec.event_to_bytes(event))
                        if isinstance(event.content, Completed):
                            await self.store.put_answer(key, mark, contents, event.content.session_id)
                    yield event

    @asynccontextmanager
    async def _exclusive(self, key: str) -> AsyncIterator[None]:
        """Allow one call at a time for each retry key; a retry waits for the call that it repeats."""
        if not key:
            yield
            return
        while (running := self._running.get(key)) is not None:
            await running.wait()
        self._running[key] = asyncio.Event()
        try:
            yield
        finally:
            self._running.pop(key).set()


def fingerprint(request: TurnRequest) -> str:
    """Return a hash that distinguishes two questions with the same request_id."""
    parts = [request.question, request.session_id, request.context, repr(request.history), repr(request.options)]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _draft(request: TurnRequest, conversation: Conversation, question_id: str | None = None) -> Draft:
    return Draft(question_id or _new_id(), request, conversation.view)


def _resume(pending: PendingQuestion, conversation: Conversation) -> Draft:
    draft = _draft(pending.request, conversation, pending.supplied.question_id)
    draft.record = pending.supplied.record
    draft.understanding = pending.supplied.understanding
    draft.graph = pending.turn.graph
    draft.usage = list(pending.turn.usage)
    draft.start_time -= sum(usage.milliseconds for usage in draft.usage) / 1000
    if pending.turn.asked_at is not None:
        draft.asked_at = pending.turn.asked_at
    return draft


def _new_id() -> str:
    return f"q-{secrets.token_hex(12)}"


def _retry_key(request_id: str, principals: tuple[str, ...]) -> str:
    return "\n".join((request_id, *sorted(principals))) if request_id else ""


def _refuse_reuse(earlier: str, current: str) -> None:
    if earlier != current:
        raise FailedPrecondition("REQUEST_ID_REUSED", "The request_id was used for another question.")
