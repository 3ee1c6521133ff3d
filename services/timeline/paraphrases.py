"""Finds descriptions of the same day that paraphrase each other, by the embedding model of another process.

Embeddings capture the subject of a sentence but not its statement: `bought its rival` and `sold its rival` have a
cosine of .96, `bought` and `acquired` the same (all-MiniLM-L6-v2). So two descriptions are merged by meaning only if
they share a verb, do not differ in a name, number or ordinal, and have the same negations and hedges. Verbs are known
for English only; other languages are compared by words alone. The model is awaited, words are compared in a thread.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, combinations
from typing import Final

from libs.chronology.days import Days
from libs.chronology.similarity import EventSignature
from libs.contracts.dates import Precision
from libs.contracts.usage import Degraded, Stage
from libs.inference.vectors import UNRELATED, Embedder, Vector, floor_of, on_own_scale
from libs.language.topics.turns import Picks
from libs.runtime.errors import ParleyError
from libs.runtime.threads import in_thread
from libs.text.dates.readings import ordinal_number
from libs.text.numbers.finder import find_numbers
from libs.text.tokens import words
from services.timeline.events import EventCandidate
from services.timeline.support_checks import turning_words

Pair = tuple[int, int]
"""The positions of two events, the smaller first."""
_UNCOMPARED: Final = (
    "The embedding model did not answer: events of the same day were compared by words, and one may appear twice."
)


MIN_WORD_COSINE: Final = 0.4
"""Minimum cosine of the words of descriptions that are compared by meaning: of 1,434 pairs of news sentences (MRPC)
that are as close in meaning, one is below it."""
MAX_EMBEDDED: Final = 64
"""Maximum number of events to embed for one timeline, best first; about 7 ms each if not cached (taste)."""
SAME_MEANING: Final = 0.9
"""Minimum similarity of two descriptions of the same day on the model's own scale (`libs.inference.vectors`; .9
by hand)."""


@dataclass(frozen=True, slots=True)
class ParaphrasePairs:
    """Pairs of events with the same meaning, and the degradation if they could not be compared."""

    pairs: frozenset[Pair] = frozenset()
    degraded: Degraded | None = None


@dataclass(frozen=True, slots=True)
class ParaphraseFinder:
    """Compares events by an embedder; with None nothing is compared, and no degradation is reported."""

    embedder: Embedder | None = None
    min_similarity: float = SAME_MEANING

    async def liken(
        self, events: Sequence[EventCandidate], signatures: Sequence[EventSignature], least_cosine: float
    ) -> ParaphrasePairs:
        """Return the pairs of events of the same day with the same meaning that are not already merged by their words.

        Args:
            events: the events to compare.
            signatures: the signatures of the events.
            least_cosine: the minimum cosine at which events are merged by their words.
        """
        if self.embedder is None:
            return ParaphrasePairs()
        pairs = await in_thread(doubtful_pairs, events, signatures, least_cosine)
        texts = {position: events[position].text_without_dates for pair in pairs for position in pair}
        if not texts:
            return ParaphrasePairs()
        try:
            vectors = await self.embedder.embed([*UNRELATED, *texts.values()])
        except ParleyError as error:
            return ParaphrasePairs(degraded=Degraded(Stage.TIMELINE, error.reason, _UNCOMPARED))
        vectors_by_position = dict(zip(texts, vectors[len(UNRELATED) :], strict=True))
        floor = floor_of(vectors[: len(UNRELATED)])
        return ParaphrasePairs(frozenset(_close(pairs, vectors_by_position, floor, self.min_similarity)))


def doubtful_pairs(
    events: Sequence[EventCandidate], signatures: Sequence[EventSignature], by_words: float
) -> list[Pair]:
    """Return the pairs of the same day that words neither merge nor separate, limited to the best events."""
    pairs = [
        (first, second)
        for first, second in _pairs_of_days(events)
        if MIN_WORD_COSINE <= signatures[first].cosine(signatures[second]) < by_words
        and signatures[first].verbs & signatures[second].verbs
        and not signatures[first].contradicts(signatures[second])
        and _may_be_same_event(events[first], events[second])
    ]
    return list(_of_the_best(pairs, events))


def _pairs_of_days(events: Sequence[EventCandidate]) -> Iterator[Pair]:
    days: dict[Days, list[int]] = defaultdict(list)
    for position, event in enumerate(events):
        if event.precision is Precision.DAY:
            days[event.days].append(position)
    return chain.from_iterable(combinations(positions, 2) for positions in days.values())


def _may_be_same_event(first: EventCandidate, second: EventCandidate) -> bool:
    """Whether both have the same negations and hedges, and their numbers and ordinals do not exclude each other."""
    first_counts, second_counts = (
        _counts(event.text_without_dates, event.dated_sentence.language) for event in (first, second)
    )
    first_turns, second_turns = (turning_words(event.text, event.dated_sentence.language) for event in (first, second))
    return first_turns == second_turns and not (first_counts - second_counts and second_counts - first_counts)


def _counts(text: str, language: str) -> frozenset[Decimal | str]:
    """Return the numbers and ordinals: `two`, `2` -> 2; `second`, `2nd` -> `2.`; `last`, `final` -> `last`."""
    text_words, final = words(text, language), Picks.of(language).last
    ordinals = (f"{number}." for word in text_words if (number := ordinal_number(word, language)) is not None)
    last = ("last" for word in text_words if word in final)
    return frozenset((*(number.value for number in find_numbers(text, language)), *ordinals, *last))


def _of_the_best(pairs: Sequence[Pair], events: Sequence[EventCandidate]) -> Iterator[Pair]:
    positions: set[int] = set()
    for pair in sorted(pairs, key=lambda pair: -max(events[position].score for position in pair)):
        if len(positions.union(pair)) <= MAX_EMBEDDED:
            positions.update(pair)
            yield pair


def _close(pairs: Sequence[Pair], vectors: Mapping[int, Vector], floor: float, min_similarity: float) -> Iterator[Pair]:
    for first, second in pairs:
        if on_own_scale(float(vectors[first] @ vectors[second]), floor) > min_similarity:
            yield first, second
