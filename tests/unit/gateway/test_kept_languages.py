"""The languages of a collection are asked for once in a while, not in each turn."""

from dataclasses import dataclass, field

import pytest

from gateway.calling.callers import LocalStage
from gateway.calling.kept_languages import MOST_KEPT, LanguageKeepingStages
from gateway.settings import GatewaySettings
from libs.contracts.stages.retrieve import (
    GAUGE_QUESTIONS,
    LIST_LANGUAGES,
    Gauged,
    GaugeQuestionsRequest,
    Languages,
    ListLanguagesRequest,
)
from libs.runtime.errors import NotFound

MOONS = ListLanguagesRequest("moons", ("ann",))


@dataclass
class Retrieve:
    """The two tasks, and what they were asked."""

    asked: list[object] = field(default_factory=list)
    is_missing: bool = False

    async def list_languages(self, request: ListLanguagesRequest) -> Languages:
        self.asked.append(request)
        if self.is_missing:
            raise NotFound("collection", request.collection)
        return Languages(("de",))

    async def gauge_questions(self, request: GaugeQuestionsRequest) -> Gauged:
        self.asked.append(request)
        return Gauged(())


def keeping(retrieve: Retrieve, seconds: float = 60.0) -> LanguageKeepingStages:
    return LanguageKeepingStages(LocalStage(retrieve, GatewaySettings()), seconds)


async def test_a_collection_is_asked_about_once_for_each_caller() -> None:
    stages, others = keeping(retrieve := Retrieve()), [ListLanguagesRequest("moons"), ListLanguagesRequest("planets")]
    for request in (MOONS, MOONS, *others, MOONS):
        assert await stages.unary(LIST_LANGUAGES, request) == Languages(("de",))
    assert retrieve.asked == [MOONS, *others]


async def test_it_is_asked_about_again_after_a_while() -> None:
    stages = keeping(retrieve := Retrieve(), seconds=0.0)
    for _ in range(2):
        await stages.unary(LIST_LANGUAGES, MOONS)
    assert retrieve.asked == [MOONS, MOONS]


async def test_an_error_is_not_kept() -> None:
    stages = keeping(retrieve := Retrieve(is_missing=True))
    with pytest.raises(NotFound):
        await stages.unary(LIST_LANGUAGES, MOONS)
    retrieve.is_missing = False
    assert await stages.unary(LIST_LANGUAGES, MOONS) == Languages(("de",))


async def test_other_calls_are_made_each_time() -> None:
    stages = keeping(retrieve := Retrieve())
    for _ in range(2):
        await stages.unary(GAUGE_QUESTIONS, GaugeQuestionsRequest(("Which moons?",)))
    assert len(retrieve.asked) == 2


async def test_what_is_kept_is_bounded() -> None:
    stages = keeping(Retrieve())
    for number in range(MOST_KEPT + 2):
        await stages.unary(LIST_LANGUAGES, ListLanguagesRequest(str(number)))
    assert len(stages._kept) == 2
