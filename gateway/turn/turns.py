"""Turns from request to stored conversation: understanding and answering (phases 1, 2), safe to retry by request_id.

The events of a turn are logged before they are sent (`gateway.events.event_sender`), so that the turn can be resumed;
a retry gets the events of the turn that has its request_id.
"""

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from gateway.access.guard import AccessGuard, Role
from gateway.convert import asked_from_bytes, asked_to_bytes
from gateway.events.events import Event, State, ignore
from gateway.events.resuming import Resuming
from gateway.request import AskedTurn, PendingQuestion, SuppliedQuestion, TurnOptions, TurnRequest
from gateway.session.conversations import Conversation, new_turn_id
from gateway.session.reference_access import PassageLookups
from gateway.store.logged_turns import LoggedTurn, TurnStart, TurnState
from gateway.store.retries import KEEP_SECONDS, RetryStore, StoredQuestion
from gateway.turn.turn_run import TurnRun
from gateway.turn.turn_work import TurnWorker
from libs.contracts.usage import Stage, tokens_of
from libs.runtime.errors import FailedPrecondition, InvalidInput, NotFound
from libs.runtime.limits.admission import keep_place
from libs.runtime.limits.callers import count_tokens

ACCEPTED: Final = "accepted"
"""The first event of a resumable turn: it tells the turn's id at once, so that the turn can be resumed."""


@dataclass(slots=True)
class Turns:
    """Accepts questions and answers them. Every call may raise Unavailable or Overloaded, as the stores do."""

    worker: TurnWorker
    resuming: Resuming
    store: RetryStore
    lookups: PassageLookups
    models: frozenset[str] = frozenset()
    """The language models that a request may choose."""
    guard: AccessGuard = field(default_factory=AccessGuard)
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """One for each retry key in use: a retry waits for the call that it repeats, or until its turn has begun."""

    async def supply(self, request: TurnRequest) -> SuppliedQuestion:
        """Phase 1: understand the question and keep it for phase 2.

        Raises:
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
            InvalidInput: the request chooses a language model that is not offered.
            NotFound: the caller may not read the collection (reason COLLECTION_NOT_FOUND).
            ParleyError: see `Conversations.open` and `Pipeline.understand`.
        """
        self._refuse_unoffered(request.options)
        self._require_readable(request)
        key = _owned_key(request.request_id, request.principals)
        async with self._lock(key):
            question = await self.store.question_by_retry(key) if key else None
            asked = asked_from_bytes(question.question_id, question.content) if question is not None else None
            if question is not None and asked is not None and asked.pending is not None:
                _refuse_reuse(question.fingerprint, _fingerprint(request))
                return asked.pending.supplied
            return await self._supply(request, key)

    async def _supply(self, request: TurnRequest, key: str) -> SuppliedQuestion:
        conversation = await self.worker.conversations.open(request)
        turn_id, session_id = new_turn_id(), conversation.session_id
        run = TurnRun.start(turn_id, request, conversation.view, ignore)
        try:
            async with self.worker.recorder.record(run, session_id):
                understood = await self.worker.pipeline.understand(run)
        finally:
            count_tokens(tokens_of(run.usage.tasks))
        supplied = SuppliedQuestion(
            turn_id, session_id, understood.record, understood.understanding, understood.degraded
        )
        asked = AskedTurn(turn_id, request, PendingQuestion(supplied, run.stored_turn(), conversation.version))
        question = StoredQuestion(turn_id, key, _fingerprint(request), asked_to_bytes(asked), session_id)
        await self.store.put_question(question)
        return supplied

    async def answer(
        self, question_id: str, request_id: str, principals: tuple[str, ...]
    ) -> AsyncGenerator[Event, None]:
        """Phase 2: return the events of a question from phase 1, without repeating the work of phase 1.

        A question that is being answered or was answered has the events of that turn.

        Raises:
            NotFound: there is no such pending question (reason QUESTION_NOT_FOUND).
            Conflict: another turn of the session runs, or was stored first (reason SESSION_CONFLICT).
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
        """
        question = await self.store.question(question_id)
        asked = asked_from_bytes(question_id, question.content) if question is not None else None
        if asked is None or (pending := asked.pending) is None or asked.request.principals != principals:
            raise NotFound("question", question_id, reason="QUESTION_NOT_FOUND")
        self._require_readable(asked.request)
        session_id, version = pending.supplied.session_id, pending.version
        reopen = partial(self.worker.conversations.reopen, asked.request, session_id, version)
        return await self._events(asked, _owned_key(request_id, principals), question_id, reopen)

    async def ask(self, request: TurnRequest) -> AsyncGenerator[Event, None]:
        """Both phases: return the events of the turn; a retry with the same request_id gets those of the first call.

        Raises:
            FailedPrecondition: the request_id was used for another question (reason REQUEST_ID_REUSED).
            InvalidInput: the request chooses a language model that is not offered.
            NotFound: the caller may not read the collection (reason COLLECTION_NOT_FOUND).
            Conflict: another turn of the session runs, or was stored first (reason SESSION_CONFLICT).
            ParleyError: the turn failed; see the phases.
        """
        self._refuse_unoffered(request.options)
        self._require_readable(request)
        asked, key = AskedTurn(new_turn_id(), request), _owned_key(request.request_id, request.principals)
        open_conversation = partial(self.worker.conversations.open, request)
        return await self._events(asked, key, _fingerprint(request) if key else "", open_conversation)

    async def resume(self, turn_id: str, after_seq: int, principals: tuple[str, ...]) -> AsyncGenerator[Event, None]:
        """Return the events of a turn after `after_seq`, if the caller may still see all that they show.

        Raises:
            NotFound: there is no such turn, it is too old, of other principals, or shows a passage that is gone or that
                the caller may not see any more (reason TURN_NOT_FOUND); or the caller may not read the collection
                (reason COLLECTION_NOT_FOUND).
            ParleyError: see `Resuming.follow`.
        """
        turn = await self.resuming.turn_of(turn_id, principals)
        shown = await self.resuming.shown_passages(turn_id)
        if turn.start.request:  # as long as it runs
            self._require_readable(asked_from_bytes(turn_id, turn.start.request).request)
        for collection in {key.collection for key in shown}:
            self.guard.require(principals, collection, Role.READ)
        if not await self.lookups.are_visible(tuple(shown), principals):
            raise NotFound("turn", turn_id)
        return self.resuming.follow(turn_id, after_seq)

    async def cancel(self, turn_id: str, principals: tuple[str, ...]) -> TurnState:
        """Cancel a turn and return how it ended; see `Resuming.cancel`."""
        return await self.resuming.cancel(turn_id, principals)

    def _require_readable(self, request: TurnRequest) -> None:
        self.guard.require(request.principals, request.options.collection, Role.READ)

    def _refuse_unoffered(self, options: TurnOptions) -> None:
        for name, model in (("rewriter_model", options.rewriter_model), ("answer_model", options.answer_model)):
            if model and model not in self.models:
                message = "The model is not offered: name one of PARLEY_LLM_MODEL and PARLEY_LLM_MODELS."
                raise InvalidInput(f"options.{name}", message)

    async def _events(
        self, asked: AskedTurn, key: str, fingerprint: str, open_conversation: Callable[[], Awaitable[Conversation]]
    ) -> AsyncGenerator[Event, None]:
        """Start the turn, and return its events; or those of the turn that it repeats, by its id or its retry key."""
        request, pending = asked.request, asked.pending
        session = _owned_key(pending.supplied.session_id if pending else request.session_id, request.principals)
        async with self._lock(key or (asked.turn_id if pending else "")):
            turn = await self._repeated_turn(asked, key)
            if turn is None:
                async with self.resuming.runs.alone_in(session) if session else nullcontext():
                    turn = await self._begin(asked, key, fingerprint, session, await open_conversation())
        if turn is not None:
            keep_place(None)
            _refuse_reuse(turn.start.fingerprint, fingerprint)
        return self.resuming.follow(asked.turn_id if turn is None else turn.start.turn_id)

    async def _begin(
        self, asked: AskedTurn, key: str, fingerprint: str, session: str, conversation: Conversation
    ) -> LoggedTurn | None:
        """Start the turn; or return the one that another gateway began for the same request in the meantime."""
        log, runs, may_be_repeated = self.resuming.log, self.resuming.runs, bool(key) or asked.pending is not None
        begin = partial(log.begin, self._start(asked, conversation.session_id, key, fingerprint), runs.lease())
        earlier_id = await begin() if may_be_repeated else None  # otherwise it is logged with the first events
        if earlier_id is not None:
            return await log.turn(earlier_id)
        work = partial(self.worker.run, asked, conversation)
        running = runs.start(asked, work, None if may_be_repeated else begin, session=session)
        if asked.request.options.resumable:
            running.emit(State(Stage.GATEWAY, ACCEPTED))
        return None

    async def _repeated_turn(self, asked: AskedTurn, key: str) -> LoggedTurn | None:
        """Return the turn that already answers this request.

        One that is being cancelled does not, and ends first; nor does one that shows a passage that is gone or that the
        caller may not see any more.
        """
        log = self.resuming.log
        turn = await log.turn(asked.turn_id) if asked.pending is not None else None
        if turn is None and key:
            turn = await log.turn_by_retry(key)
        running = None if turn is None else self.resuming.runs.get(turn.start.turn_id)
        if running is not None and running.is_cancelling:
            await running.until_ended()
            return await self._repeated_turn(asked, key)
        if turn is None or turn.progress.state.may_be_repeated:
            return None
        turn_id, principals = turn.start.turn_id, asked.request.principals
        if not await self.lookups.are_visible(tuple(await self.resuming.shown_passages(turn_id)), principals):
            await self.resuming.cancel(turn_id, principals)
            await log.drop(turn_id)
            return None
        return turn

    def _lock(self, key: str) -> AbstractAsyncContextManager[object]:
        return self._locks.setdefault(key, asyncio.Lock()) if key else nullcontext()

    def _start(self, asked: AskedTurn, session_id: str, key: str, fingerprint: str) -> TurnStart:
        """Return what is logged of the turn when it begins."""
        return TurnStart(
            asked.turn_id,
            asked_to_bytes(asked),
            session_id,
            asked.request.principals,
            key,
            fingerprint,
            time.time(),
            KEEP_SECONDS if key else self.resuming.keep_seconds,
        )


def _fingerprint(request: TurnRequest) -> str:
    """Return a hash that distinguishes two questions with the same request_id; 128 bits do."""
    options = replace(request.options, resumable=False)
    parts = [request.question, request.session_id, request.context, repr(request.history), repr(options)]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _owned_key(name: str, principals: tuple[str, ...]) -> str:
    """Return a key of what a caller names, which no other caller can name; empty without a name."""
    return "\n".join((name, *sorted(principals))) if name else ""


def _refuse_reuse(earlier: str, current: str) -> None:
    if earlier != current:
        raise FailedPrecondition("REQUEST_ID_REUSED", "The request_id was used for another question: make a new one.")
