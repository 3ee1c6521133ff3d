"""Tellings of one day that say the same in other words are one event, as far as an embedding model can tell that."""

from collections.abc import Sequence

import pytest

from libs.contracts.stages.timeline import Built
from libs.contracts.timeline import Timeline
from libs.contracts.usage import Degraded
from libs.inference.vectors import UNRELATED, Vector
from libs.runtime.errors import Unavailable
from services.timeline import paraphrases
from services.timeline.build import TimelineBuilder
from services.timeline.paraphrases import ParaphraseFinder
from tests.fakes.meant_vectors import MeantEncoder
from tests.unit.timeline.evidence_making import documents, when

ELECTED = "Varadkar was elected as leader of the country by the parliament on 14 June 2017."
CHOSEN = "On 14 June 2017 the members of parliament elected Varadkar to lead the country's government."
TAOISEACH = "On 14 June 2017 Varadkar, who leads his party in parliament, was elected by its members."


class NobodyThere:
    """An embedder that cannot be reached."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise Unavailable("STAGE_UNAVAILABLE", "Nobody is there.")


async def steps_of(meaning: ParaphraseFinder | None, *texts: str) -> list[object]:
    builder = TimelineBuilder(meaning=meaning or ParaphraseFinder())
    return [step async for step in builder.build("timeline", documents(*texts))]


async def build_timeline(meaning: ParaphraseFinder | None, *texts: str) -> Timeline:
    last = (await steps_of(meaning, *texts))[-1]
    assert isinstance(last, Built)
    return last.timeline


async def documents_by_event(meaning: ParaphraseFinder | None, *texts: str) -> list[list[str]]:
    """The documents of each event."""
    return [
        [source.document_id for source in event.sources] for event in (await build_timeline(meaning, *texts)).events
    ]


class Sure:
    """An embedder to which all sentences mean the same but those that give it its scale."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        apart, same = MeantEncoder("no such phrase"), MeantEncoder("")
        return [*await apart.embed(UNRELATED), *await same.embed(texts[len(UNRELATED) :])]


def sure() -> ParaphraseFinder:
    return ParaphraseFinder(Sure())


async def test_one_event_in_other_words_is_told_once_with_both_sources() -> None:
    assert await documents_by_event(None, ELECTED, CHOSEN) == [["d1"], ["d2"]]
    assert await documents_by_event(sure(), ELECTED, CHOSEN) == [["d1", "d2"]]


@pytest.mark.parametrize(
    ("near", "floor", "events"),
    [(0.91, 0.0, 1), (0.89, 0.0, 2), (0.95, 0.78, 2), (0.98, 0.78, 1)],
)
async def test_what_is_near_is_told_by_the_models_own_scale(near: float, floor: float, events: int) -> None:
    assert (
        len((await build_timeline(ParaphraseFinder(MeantEncoder("Varadkar", near, floor)), ELECTED, CHOSEN)).events)
        == events
    )


async def test_the_setting_moves_the_bound() -> None:
    encoder = MeantEncoder("Varadkar", 0.85)
    assert len(await documents_by_event(ParaphraseFinder(encoder, 0.8), ELECTED, CHOSEN)) == 1
    assert len(await documents_by_event(ParaphraseFinder(encoder, 0.9), ELECTED, CHOSEN)) == 2


APART = {
    "another day": (ELECTED, CHOSEN.replace("14 June", "15 June")),
    "a month": (ELECTED.replace("on 14", "in"), CHOSEN.replace("On 14", "In")),
    "another name": (ELECTED, CHOSEN.replace("Varadkar", "Coveney")),
    "another number": (
        "Varadkar was elected as leader of the country with 57 votes on 14 June 2017.",
        "On 14 June 2017 the 160 members of parliament elected Varadkar to lead the country.",
    ),
    "another number in words": (
        "Varadkar was elected as leader of the country by three parties on 14 June 2017.",
        "On 14 June 2017 two parties elected Varadkar to lead the country's government.",
    ),
    "another ordinal": (
        "Varadkar was elected as leader of the country in the third vote on 14 June 2017.",
        "On 14 June 2017 the members of parliament elected Varadkar with their second vote.",
    ),
    "the first and the last": (
        "Varadkar was elected as leader of the country in the last vote on 14 June 2017.",
        "On 14 June 2017 the members of parliament elected Varadkar with their first vote.",
    ),
    "denied": (ELECTED.replace("was", "was not"), CHOSEN),
    "left open": (ELECTED, CHOSEN.replace("elected", "reportedly elected")),
    "another deed": (ELECTED, CHOSEN.replace("elected", "trusted")),
    "no verb that is known": (
        "France wins the match against Brazil for the world cup on 12 July 1998.",
        "On 12 July 1998 France loses the cup to Brazil in a match in Paris.",
    ),
}


@pytest.mark.parametrize(("first", "second"), APART.values(), ids=APART)
async def test_what_a_model_cannot_tell_apart_stays_apart(first: str, second: str) -> None:
    assert await documents_by_event(sure(), first, second) == [["d1"], ["d2"]]


async def test_what_the_words_settle_is_not_asked() -> None:
    encoder = MeantEncoder("")
    timeline = await build_timeline(
        ParaphraseFinder(encoder),
        "Apollo 11 landed on the Moon on 20 July 1969.",
        "On July 20, 1969, Apollo 11 landed on the Moon.",
        "Luna 15 crashed on the Moon on 21 July 1969.",
        "Spirit sent a picture on 4 January 2004.",
    )
    assert [when(event) for event in timeline.events] == ["1969-07-20", "1969-07-21", "2004-01-04"]
    assert encoder.encoded == []


async def test_all_texts_of_a_timeline_are_asked_for_at_once_without_their_dates() -> None:
    encoder = MeantEncoder("Varadkar")
    alone = "Spirit landed on Mars on 4 January 2004."
    other_day = "The minister resigned and the party elected Kenny on 5 May 2011."
    await build_timeline(ParaphraseFinder(encoder), ELECTED, CHOSEN, TAOISEACH, alone, other_day)
    (texts_encoded,) = encoder.encoded
    assert texts_encoded[: len(UNRELATED)] == list(UNRELATED)
    assert len(texts_encoded) == len(UNRELATED) + 3
    assert all("Varadkar" in text and "2017" not in text for text in texts_encoded[len(UNRELATED) :])


async def test_of_too_many_events_the_best_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphrases, "MAX_EMBEDDED", 2)
    encoder = MeantEncoder("Varadkar")
    await build_timeline(ParaphraseFinder(encoder), ELECTED, CHOSEN, TAOISEACH)
    (texts_encoded,) = encoder.encoded
    assert len(texts_encoded) == len(UNRELATED) + 2


async def test_where_there_is_nothing_to_compare_nobody_is_missed() -> None:
    steps = await steps_of(
        ParaphraseFinder(NobodyThere()), "Luna 9 landed on 3 February 1966.", "Luna 10 flew on 4 April 1966."
    )
    assert not [step for step in steps if isinstance(step, Degraded)]
