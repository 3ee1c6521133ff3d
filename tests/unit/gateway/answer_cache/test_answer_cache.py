"""The same question in the same circumstances gets the same answer, without its stages; any other does not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.answer_cache.cache import TASK, MemoryAnswerCache
from gateway.answer_cache.circumstances import SuiteCircumstances
from gateway.answer_cache.codec import ContractAnswerCodec
from gateway.answer_cache.entries import CachedAnswers
from gateway.answer_cache.miss import SuiteState
from gateway.events.events import Completed, Event, UsageReport
from gateway.request import TurnOptions, TurnRequest
from gateway.settings import GatewaySettings
from gateway.store.stores import Stores
from gateway.turn.turns import Turns
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.dates import TimeRange
from libs.contracts.options import Budget
from libs.contracts.session import Outcome
from libs.contracts.timeline import Timeline
from libs.contracts.understanding import Understanding
from libs.runtime.errors import Unavailable
from tests.fakes.stages import ScriptedStages
from tests.unit.gateway.turning import DOWN, ask, completed, kinds, pick, stored_turns, turns_over

ANN, BOB = ("ann",), ("bob",)
QUESTION = TurnRequest("When did it land?", principals=ANN)
ANSWER_KINDS = {
    "plan",
    "sub_query",
    "references",
    "text",
    "citation",
    "image",
    "timeline",
    "text_end",
    "recommendation",
}


@dataclass
class Suite(SuiteCircumstances):
    """A suite whose state a test sets, over real sessions."""

    stores: Stores
    now: SuiteState
    is_down: bool = False

    def __post_init__(self) -> None:
        super().__init__(None, (), self.stores.sessions)

    async def state(self, collection: str) -> SuiteState:
        if self.is_down:
            raise Unavailable("STAGE_UNAVAILABLE", "it is down")
        return self.now


@dataclass
class Cached:
    """Turns over scripted stages with a cache of answers."""

    turns: Turns
    stages: ScriptedStages
    suite: Suite
    cache: MemoryAnswerCache

    async def ask(self, request: TurnRequest = QUESTION) -> list[Event]:
        return await ask(self.turns, request)

    async def hits(self, request: TurnRequest = QUESTION) -> bool:
        """Whether a turn is answered from the cache."""
        written = self.stages.count("write")
        (report,) = pick(await self.ask(request), UsageReport)
        is_hit = TASK in [usage.task for usage in report.tasks]
        assert is_hit == (self.stages.count("write") == written)
        return is_hit

    def ingest(self) -> None:
        """Change the collection."""
        self.stages.corpus_version = "v2"
        self.suite.now = replace(self.suite.now, corpus_version="v2")


@pytest.fixture
def cached(stores: Stores, stages: ScriptedStages) -> Cached:
    stages.corpus_version, stages.questions = "v1", ("And when did it start?",)
    stages.timeline = Timeline()
    turns = turns_over(stores, stages, GatewaySettings(stage_seconds=1))
    suite = Suite(stores, SuiteState("v1", "engines"))
    cache = MemoryAnswerCache(CachedAnswers(1 << 20, 60), suite, ContractAnswerCodec(), 3600)
    turns.worker.pipeline = replace(turns.worker.pipeline, cache=cache)
    return Cached(turns, stages, suite, cache)


def asking(**options: Any) -> TurnRequest:
    return replace(QUESTION, options=TurnOptions(**options))


def answer_of(events: Sequence[Event]) -> list[object]:
    return [event.content for event in events if kinds([event])[0] in ANSWER_KINDS]


async def test_a_second_session_gets_the_same_answer_in_a_turn_of_its_own(cached: Cached, stores: Stores) -> None:
    first = await cached.ask(replace(asking(pro=True), session_id="s"))
    calls = len(cached.stages.calls)
    second = await cached.ask(replace(asking(pro=True), session_id="t"))
    assert answer_of(second) == answer_of(first)
    assert "timeline" in kinds(second)
    assert [method for method, _ in cached.stages.calls[calls:]] == ["condense", "understand"]
    assert first[0].turn_id != second[0].turn_id
    assert [event.seq for event in second] == list(range(1, len(second) + 1))
    assert (completed(second).outcome, completed(second).session_id) == (Outcome.ANSWERED, "t")
    (one,), (other,) = await stored_turns(stores, "s"), await stored_turns(stores, "t")
    for name in ("graph", "references", "answer", "timeline", "outcome", "question"):
        assert getattr(one, name) == getattr(other, name)
    assert one.question_id != other.question_id


async def test_a_hit_is_counted_in_the_usage(cached: Cached) -> None:
    await cached.ask()
    (report,) = pick(await cached.ask(), UsageReport)
    assert [usage.task for usage in report.tasks] == ["condense", "understand", TASK]


async def test_both_phases_apart_get_it_too(cached: Cached) -> None:
    await cached.ask()
    supplied = await cached.turns.supply(QUESTION)
    events = [event async for event in await cached.turns.answer(supplied.question_id, "", ANN)]
    assert cached.stages.count("write") == 1
    assert isinstance(events[-1].content, Completed)


@pytest.mark.parametrize("principals", [(), BOB, ("ann", "bob")])
async def test_principals_never_share_an_answer(cached: Cached, principals: tuple[str, ...]) -> None:
    await cached.ask()
    assert not await cached.hits(replace(QUESTION, principals=principals))
    assert await cached.hits(replace(QUESTION, principals=principals))
    assert await cached.hits()


async def test_an_ingest_in_between_empties_the_cache(cached: Cached) -> None:
    await cached.ask()
    cached.ingest()
    assert not await cached.hits()
    assert await cached.hits()


async def test_an_ingest_during_the_turn_keeps_its_answer_out(cached: Cached) -> None:
    cached.stages.corpus_version = "v0"
    await cached.ask()
    assert len(cached.cache.answers) == 0


async def test_another_model_or_prompt_or_setting_empties_the_cache(cached: Cached) -> None:
    await cached.ask()
    cached.suite.now = replace(cached.suite.now, engines="others")
    assert not await cached.hits()


@pytest.mark.parametrize("stage", ["decompose", "gauge_questions", "detect_range", "condense"])
async def test_a_degraded_answer_is_never_cached(cached: Cached, stage: str) -> None:
    cached.stages.failures[stage] = DOWN
    assert "degraded" in kinds(await cached.ask())
    assert not await cached.hits()


async def test_what_is_no_answer_is_not_cached(cached: Cached) -> None:
    cached.stages.abstained = True
    await cached.ask()
    assert len(cached.cache.answers) == 0


async def test_an_answer_from_the_web_is_not_cached(cached: Cached) -> None:
    cached.stages.corpus_version = ""
    await cached.ask()
    assert len(cached.cache.answers) == 0


@pytest.mark.parametrize("options", [{"web": True}, {"budget": Budget(max_seconds=30)}])
async def test_some_requests_are_never_answered_from_it(cached: Cached, options: dict[str, Any]) -> None:
    for _ in range(2):
        assert not await cached.hits(asking(**options))
    assert len(cached.cache.answers) == 0


async def test_a_request_may_want_a_new_answer_which_is_cached_then(cached: Cached) -> None:
    await cached.ask()
    cached.stages.text = "It fell. [1]"
    assert not await cached.hits(asking(no_cache=True))
    text = "".join(str(content) for content in answer_of(await cached.ask()))
    assert "It fell." in text
    assert "It landed." not in text


async def test_a_recorded_turn_is_made_anew(cached: Cached) -> None:
    await cached.ask()
    assert not await cached.hits(asking(record=True))


async def test_today_is_another_question_tomorrow(cached: Cached) -> None:
    def on(day: int) -> TurnRequest:
        """A question whose "today" was grounded as that day."""
        start = datetime(2026, 5, day, tzinfo=UTC)
        cached.stages.understanding = Understanding(grounded_query="", time_range=TimeRange(start, None))
        return QUESTION

    await cached.ask(on(25))
    assert not await cached.hits(on(26))
    assert await cached.hits(on(25))


async def test_the_hour_of_a_question_counts(cached: Cached) -> None:
    noon = datetime(2026, 5, 25, 12, tzinfo=UTC)
    await cached.ask(asking(now=noon))
    assert await cached.hits(asking(now=noon.replace(minute=59)))
    assert not await cached.hits(asking(now=noon.replace(hour=13)))


async def test_the_conversation_counts(cached: Cached) -> None:
    def after(text: str) -> TurnRequest:
        return replace(QUESTION, history=(HistoryMessage(Speaker.USER, text),))

    await cached.ask(after("What was Luna 9?"))
    assert await cached.hits(after("What was Luna 9?"))
    assert not await cached.hits(after("What was Luna 16?"))
    assert not await cached.hits()


async def test_a_deleted_session_takes_its_answers_with_it(cached: Cached, stores: Stores) -> None:
    await cached.ask(replace(QUESTION, session_id="s"))
    assert await stores.sessions.hide("s", 1)
    assert not await cached.hits(replace(QUESTION, session_id="t"))
    assert await cached.hits(replace(QUESTION, session_id="u"))
    await cached.cache.forget(["t"])
    assert len(cached.cache.answers) == 0


async def test_a_session_that_is_made_anew_has_no_part_in_the_old_answers(cached: Cached, stores: Stores) -> None:
    await cached.ask(replace(QUESTION, session_id="s"))
    assert await stores.sessions.hide("s", 1)
    await stores.sessions.remove("s")
    await cached.ask(replace(QUESTION, question="When did it start?", session_id="s"))
    assert not await cached.hits(replace(QUESTION, session_id="t"))


async def test_without_a_word_from_the_suite_nothing_is_cached(cached: Cached) -> None:
    cached.suite.is_down = True
    assert not await cached.hits()
    cached.suite.is_down = False
    assert not await cached.hits()
    cached.suite.is_down = True
    assert not await cached.hits()


async def test_a_question_that_is_probably_cached_is_not_searched_early(cached: Cached) -> None:
    await cached.ask()
    searches = cached.stages.count("retrieve")
    await cached.ask()
    assert cached.stages.count("retrieve") == searches
