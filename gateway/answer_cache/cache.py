"""Gives the answer of an earlier turn again: same question, same circumstances, nothing degraded, nothing stale.

An answer is looked up where it would be made, and stored when its turn is. Before it is given again it is checked that
the collection is unchanged, that the stages have the same engines, models, prompts and settings, and that the session
whose turn made the answer still exists.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gateway.answer_cache.entries import CachedAnswer, CachedAnswers
from gateway.answer_cache.keys import answer_key, question_key
from gateway.answer_cache.miss import CacheMiss, SuiteState
from gateway.events.event_stream import Emit
from gateway.events.events import Plan, Recommendation, References, SubQuery, TextEnd, TurnEvent
from gateway.turn.draft import Draft
from libs.contracts.answers import Citation, PlacedImage, TextDelta
from libs.contracts.session import Outcome, Turn
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.contracts.usage import Degraded, Stage, Usage
from libs.runtime.errors import ParleyError

ANSWER_EVENTS = (
    Plan,
    SubQuery,
    References,
    TextDelta,
    Citation,
    PlacedImage,
    Timeline,
    TextEnd,
    Recommendation,
)
"""The events of an answer; the others belong to a single turn."""
TASK = "cached answer"
"""The task of a hit in a turn's usage."""


class AnswerCodec(Protocol):
    """Encodes answers as bytes, and decodes them."""

    def turn_to_bytes(self, turn: Turn) -> bytes:
        """Encode a turn."""
        ...

    def turn_from_bytes(self, content: bytes) -> Turn:
        """Decode a turn."""
        ...

    def content_to_bytes(self, content: TurnEvent) -> bytes:
        """Encode the content of an event."""
        ...

    def content_from_bytes(self, content: bytes) -> TurnEvent:
        """Decode the content of an event."""
        ...


class Circumstances(Protocol):
    """Knows what answers depend on outside of their turns."""

    async def state(self, collection: str) -> SuiteState:
        """Return the current state.

        Raises:
            ParleyError: a stage does not answer.
        """
        ...

    async def session_key(self, session_id: str) -> str:
        """Return the key of a stored session; empty if there is none."""
        ...


class AnswerCache(Protocol):
    """Gives answers of earlier turns again."""

    def expects(self, draft: Draft) -> bool:
        """Whether a condensed question will probably be answered from the cache, so that searching early is vain."""
        ...

    async def give(self, draft: Draft, understanding: Understanding, emit: Emit) -> bool:
        """Emit a cached answer and fill it into the draft; False if there is none."""
        ...

    async def keep(self, draft: Draft, contents: Sequence[TurnEvent], session_id: str) -> None:
        """Cache the answer of a turn that is stored, if it may be given again.

        Args:
            draft: the turn.
            contents: all its events.
            session_id: its session; empty if the client stores the conversation.
        """
        ...

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See SessionData."""
        ...


class NoAnswerCache:
    """Caches nothing."""

    def expects(self, draft: Draft) -> bool:
        """See AnswerCache."""
        return False

    async def give(self, draft: Draft, understanding: Understanding, emit: Emit) -> bool:
        """See AnswerCache."""
        return False

    async def keep(self, draft: Draft, contents: Sequence[TurnEvent], session_id: str) -> None:
        """See AnswerCache."""

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See AnswerCache."""


@dataclass(frozen=True, slots=True)
class MemoryAnswerCache:
    """The AnswerCache in this process's memory."""

    answers: CachedAnswers
    circumstances: Circumstances
    codec: AnswerCodec
    moment_seconds: float
    """The moment of a question counts in steps of this length; its grounded dates count exactly."""

    def expects(self, draft: Draft) -> bool:
        """See AnswerCache."""
        return _may_be_read(draft) and self.answers.has_question(question_key(draft, self.moment_seconds))

    async def give(self, draft: Draft, understanding: Understanding, emit: Emit) -> bool:
        """See AnswerCache."""
        if not _may_be_cached(draft):
            return False
        start = time.perf_counter()
        key = answer_key(draft, understanding, self.moment_seconds)
        try:
            state = await self.circumstances.state(draft.request.options.collection)
        except ParleyError:
            return False
        draft.cache_miss = CacheMiss(key, state)
        entry = self.answers.get(key) if _may_be_read(draft) else None
        if entry is None or not await self._holds(entry, state):
            return False
        draft.cache_miss = None
        self._fill_in(draft, entry, emit)
        milliseconds = round((time.perf_counter() - start) * 1000, 3)
        draft.usage.append(Usage(Stage.GATEWAY, TASK, milliseconds))
        return True

    async def _holds(self, entry: CachedAnswer, state: SuiteState) -> bool:
        """Whether an answer may be given again; otherwise it is dropped."""
        holds = entry.state == state and (
            not entry.session_id or await self.circumstances.session_key(entry.session_id) == entry.session_key
        )
        if not holds:
            self.answers.drop(entry.key)
        return holds

    def _fill_in(self, draft: Draft, entry: CachedAnswer, emit: Emit) -> None:
        turn = self.codec.turn_from_bytes(entry.turn)
        draft.graph, draft.references, draft.answer = turn.graph, turn.references, turn.answer
        draft.timeline, draft.outcome = turn.timeline, turn.outcome
        for content in entry.events:
            emit(self.codec.content_from_bytes(content))

    async def keep(self, draft: Draft, contents: Sequence[TurnEvent], session_id: str) -> None:
        """See AnswerCache."""
        miss = draft.cache_miss
        if miss is None or draft.outcome is not Outcome.ANSWERED:
            return
        if any(isinstance(content, Degraded) for content in contents):
            return
        if draft.corpus_versions != {miss.state.corpus_version}:
            return  # the collection changed, or the web took part
        try:
            state = await self.circumstances.state(draft.request.options.collection)
            session_key = await self.circumstances.session_key(session_id) if session_id else ""
        except ParleyError:
            return
        if state != miss.state or (session_id and not session_key):
            return
        turn = self.codec.turn_to_bytes(draft.turn())
        events = tuple(self.codec.content_to_bytes(each) for each in contents if isinstance(each, ANSWER_EVENTS))
        self.answers.put(CachedAnswer(miss.key, state, turn, events, session_id, session_key))

    async def forget(self, session_ids: Sequence[str]) -> None:
        """See AnswerCache."""
        self.answers.drop_sessions(session_ids)


def _may_be_cached(draft: Draft) -> bool:
    """Whether the answer depends on nothing but its key and the suite's state: a budget and the web are more."""
    options = draft.request.options
    return draft.record is not None and options.budget is None and not options.web


def _may_be_read(draft: Draft) -> bool:
    """Whether a cached answer may be given; a recorded turn shows how its answer was made."""
    options = draft.request.options
    return _may_be_cached(draft) and not options.no_cache and not options.record
