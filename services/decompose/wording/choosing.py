"""Which words a turn takes from its history, by the tagger's probabilities."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from services.decompose.wording.tagger import Needed
from services.decompose.wording.words import Message

_PART_OF_NAME: Final = 0.6
"""Share of a word's threshold that a word beside a taken one needs, both with capitals: names are taken whole."""

_SURE_NEED: Final = 0.8
_SURE_WORD: Final = 0.5
"""Probabilities from which on a word is searched as one of the turn's own. By hand, on questions over documents: the
first three passages hold the facts of .64 of 54 answerable questions that nothing was fitted to, of .61 without it."""


def choose(needed: Needed, history: Sequence[Message]) -> dict[str, float]:
    """The stems that a turn takes, each with its probability."""
    thresholds = needed.thresholds
    if needed.leaves_topic or needed.need < thresholds.need:
        return {}
    taken = {stem: probability for stem, probability in needed.probabilities.items() if probability > thresholds.word}
    return taken | {
        stem: needed.probabilities[stem]
        for stem in _other_parts(taken, history)
        if needed.probabilities.get(stem, 0.0) > thresholds.word * _PART_OF_NAME
    }


def surest(needed: Needed, taken: Mapping[str, float]) -> dict[str, float]:
    """Those of the taken stems that the turn surely needs."""
    is_sure = needed.need >= _SURE_NEED
    return {stem: probability for stem, probability in taken.items() if is_sure and probability > _SURE_WORD}


def _other_parts(taken: Mapping[str, float], history: Sequence[Message]) -> set[str]:
    """Stems of words with capitals beside those taken."""
    parts = set[str]()
    for message in (each for each in history if not each.stems.isdisjoint(taken)):
        for left, right in pairwise(message.words):
            pair, between = {left.stem, right.stem}, message.text[left.end : right.start]
            are_capitalised = message.text[left.start].isupper() and message.text[right.start].isupper()
            if are_capitalised and not between.strip(" -'’") and not pair.isdisjoint(taken):
                parts |= pair
    return parts - {""} - set(taken)
