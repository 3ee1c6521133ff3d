"""Which words a turn takes from its history, by the tagger's probabilities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from services.decompose.wording.tagger import Needed
from services.decompose.wording.words import Message


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen by `bench.fit.wording` on conversations that the network wasn't fitted to."""

    first: float = 0.4
    """Probability of the likeliest word below which nothing is taken."""
    word: float = 0.36
    """Probability above which a word is taken."""
    part_of_name: float = 0.2
    """The same for a word beside a taken one, both with capitals: names are taken whole."""
    most: int = 6
    """The likeliest words that are taken, parts of names not counted."""


DEFAULT: Final = Thresholds()


def choose(needed: Needed, history: Sequence[Message], thresholds: Thresholds = DEFAULT) -> dict[str, float]:
    """The stems that a turn takes, each with its probability."""
    likely = sorted(needed.probabilities.items(), key=lambda item: -item[1])[: thresholds.most]
    if not likely or likely[0][1] < thresholds.first:
        return {}
    taken = {stem: probability for stem, probability in likely if probability > thresholds.word}
    names = _other_parts(taken, history)
    return taken | {
        stem: needed.probabilities[stem]
        for stem in names
        if needed.probabilities.get(stem, 0.0) > thresholds.part_of_name
    }


def _other_parts(taken: Mapping[str, float], history: Sequence[Message]) -> set[str]:
    """Stems of words with capitals beside those taken."""
    found: set[str] = set()
    for message in history:
        for left, right in pairwise(message.words):
            between = message.text[left.end : right.start]
            if not between.strip(" -'’") and message.text[left.start].isupper() and message.text[right.start].isupper():
                found |= {right.stem} if left.stem in taken else set()
                found |= {left.stem} if right.stem in taken else set()
    return found - {""} - set(taken)
