"""What the tagger sees of a conversation: words of the turn, content words of the history, features of each stem."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.words import Message

USER_MESSAGES: Final = 12
ANSWERS: Final = 3
"""How many of the newest are read, besides the first question. Of the words that people carried, 99 % are in them."""
OCCURRENCES: Final = 220
TURN_WORDS: Final = 40
"""The first ones are read. Longer texts would cost time, and the tagger has hardly seen any."""
AGES: Final = 8
PLACES: Final = 16
_POINTING_WORDS: Final = """it its it's they them their theirs that that's this these those one ones he he's she she's
his her him hers there then such same other others another both former latter first second third last option"""
POINTING: Final = frozenset(_POINTING_WORDS.split())

Integers = NDArray[np.int64]
_FAR: Final = 14
_NO_ANSWER: Final = 5


@dataclass(frozen=True, slots=True)
class Inputs:
    """Arrays for `Tagger`. An occurrence is a content word of the history that the turn lacks."""

    turn: NDArray[np.float32]
    kinds: Integers
    """Of each word of the turn: 0 content word, 1 stop word, 2 pointing word."""
    said: int
    """How many content words of the turn the history has."""
    words: NDArray[np.float32]
    ages: Integers
    """Of each occurrence: age of its message among its speaker's, answers after questions."""
    places: Integers
    """Of each occurrence: about where in its message it is."""
    stem_of: Integers
    """Of each occurrence: the index of its stem in `stems`."""
    stems: tuple[str, ...]
    features: NDArray[np.float32]
    """A row per stem: see `_row`."""


@dataclass(frozen=True, slots=True)
class _Occurrence:
    message: Message
    age: int
    index: int

    @property
    def stem(self) -> str:
        return self.message.words[self.index].stem


def read_inputs(turn: Message, history: Sequence[Message]) -> Inputs:
    """The arrays of a turn after its history, oldest message first."""
    occurrences = _occurrences(turn, history)
    by_stem: dict[str, list[_Occurrence]] = {}
    for occurrence in occurrences:
        by_stem.setdefault(occurrence.stem, []).append(occurrence)
    own = turn.words[:TURN_WORDS]
    said = frozenset[str]().union(*(message.stems for message, _ in _read_messages(history)))
    users = max(sum(message.is_users for message in history), 1)
    index = {stem: place for place, stem in enumerate(by_stem)}
    words = [occurrence.message.vectors[occurrence.index] for occurrence in occurrences]
    return Inputs(
        turn=turn.vectors[:TURN_WORDS],
        kinds=np.array([0 if word.stem else 1 + (word.lower in POINTING) for word in own], np.int64),
        said=sum(word.stem in said for word in own if word.stem),
        words=np.array(words, np.float32).reshape(len(words), turn.vectors.shape[1]),
        ages=np.array([_age(occurrence) for occurrence in occurrences], np.int64),
        places=np.array([_place(occurrence.index) for occurrence in occurrences], np.int64),
        stem_of=np.array([index[occurrence.stem] for occurrence in occurrences], np.int64),
        stems=tuple(by_stem),
        features=np.array([_row(*each, users) for each in by_stem.items()], np.float32).reshape(-1, FEATURES),
    )


def _occurrences(turn: Message, history: Sequence[Message]) -> list[_Occurrence]:
    own = turn.stems
    return [
        _Occurrence(message, age, index)
        for message, age in _read_messages(history)
        for index, word in enumerate(message.words)
        if word.stem and word.stem not in own
    ][:OCCURRENCES]


def _read_messages(history: Sequence[Message]) -> list[tuple[Message, int]]:
    """The messages that count, the user's first, newest first, each with its age among its speaker's."""
    users = list(enumerate(message for message in reversed(history) if message.is_users))
    answers = list(enumerate(message for message in reversed(history) if not message.is_users))
    first = users[USER_MESSAGES:][-1:]
    return [(message, age) for age, message in (*users[:USER_MESSAGES], *first, *answers[:ANSWERS])]


def _age(occurrence: _Occurrence) -> int:
    return min(occurrence.age, AGES - 1) + (0 if occurrence.message.is_users else AGES)


def _place(index: int) -> int:
    return index // 4 if index < 32 else min(8 + (index - 32) // 16, PLACES - 1)


FEATURES: Final = 15
IN_LAST_QUESTION: Final = 2
IN_FIRST_QUESTION: Final = 3
"""Columns of `Inputs.features`."""


def _row(stem: str, occurrences: Sequence[_Occurrence], users: int) -> list[float]:
    first = occurrences[0]
    asked = {occurrence.age for occurrence in occurrences if occurrence.message.is_users}
    answered = {occurrence.age for occurrence in occurrences if not occurrence.message.is_users}
    in_newest = sum(not occurrence.message.is_users and occurrence.age == 0 for occurrence in occurrences)
    return [
        float(first.message.rarity[first.index]),
        float(first.message.pieces[first.index]),
        0 in asked,
        users - 1 in asked,
        len(asked),
        len(asked) / users,
        min(asked, default=_FAR),
        in_newest > 0,
        in_newest,
        len(answered),
        min(answered, default=_NO_ANSWER),
        any(occurrence.message.words[occurrence.index].is_name for occurrence in occurrences),
        any(character.isdigit() for character in stem),
        len(stem),
        len(occurrences),
    ]
