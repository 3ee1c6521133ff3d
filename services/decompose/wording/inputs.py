"""What the tagger sees of a conversation: words of the turn, content words of the history, features of each stem."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.decompose.wording.words import Message, Word

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
    """A row per stem: see `_features`."""


class _Occurrence(NamedTuple):
    message: Message
    age: int
    place: int
    word: Word


def read_inputs(turn: Message, history: Sequence[Message]) -> Inputs:
    """The arrays of a turn after its history, oldest message first."""
    read, own, stems = _read_messages(history), turn.words[:TURN_WORDS], dict[str, int]()
    occurrences = list(islice(_occurrences(read, turn.stems), OCCURRENCES))
    stem_of = np.array([stems.setdefault(each.word.stem, len(stems)) for each in occurrences], np.int64)
    said = frozenset[str]().union(*(message.stems for message, _ in read))
    users = max(sum(message.is_users for message in history), 1)
    vectors = [each.message.vectors[each.place] for each in occurrences]
    places = np.array([each.place for each in occurrences], np.int64)
    return Inputs(
        turn=turn.vectors[:TURN_WORDS],
        kinds=np.array([0 if word.stem else 1 + (word.lower in POINTING) for word in own], np.int64),
        said=sum(word.stem in said for word in own if word.stem),
        words=np.array(vectors, np.float32).reshape(len(vectors), turn.vectors.shape[1]),
        ages=np.array([min(each.age, AGES - 1) + AGES * (not each.message.is_users) for each in occurrences], np.int64),
        places=np.where(places < 32, places // 4, np.minimum(8 + (places - 32) // 16, PLACES - 1)),
        stem_of=stem_of,
        stems=tuple(stems),
        features=_features(occurrences, stem_of, users),
    )


def _occurrences(read: Sequence[tuple[Message, int]], own: frozenset[str]) -> Iterator[_Occurrence]:
    for message, age in read:
        for place, word in enumerate(message.words):
            if word.stem and word.stem not in own:
                yield _Occurrence(message, age, place, word)


def _read_messages(history: Sequence[Message]) -> list[tuple[Message, int]]:
    """The messages that count, the user's first, newest first, each with its age among its speaker's."""
    users = list(enumerate(message for message in reversed(history) if message.is_users))
    answers = list(enumerate(message for message in reversed(history) if not message.is_users))
    first = users[USER_MESSAGES:][-1:]
    return [(message, age) for age, message in (*users[:USER_MESSAGES], *first, *answers[:ANSWERS])]


FEATURES: Final = 15
IN_LAST_QUESTION: Final = 2
IN_FIRST_QUESTION: Final = 3
"""Columns of `Inputs.features`."""


def _features(occurrences: Sequence[_Occurrence], stem_of: Integers, users: int) -> NDArray[np.float32]:
    ages = np.array([each.age for each in occurrences], np.int64)
    is_answer = np.array([not each.message.is_users for each in occurrences], np.bool_)
    firsts = [occurrences[place] for place in np.unique(stem_of, return_index=True)[1]]
    asked, answered = np.zeros((len(firsts), users), np.bool_), np.zeros((len(firsts), ANSWERS), np.bool_)
    asked[stem_of[~is_answer], ages[~is_answer]] = True
    answered[stem_of[is_answer], ages[is_answer]] = True
    in_newest = np.bincount(stem_of[is_answer & (ages == 0)], minlength=len(firsts))
    columns = [
        [each.message.rarity[each.place] for each in firsts],
        [each.message.pieces[each.place] for each in firsts],
        asked[:, 0],
        asked[:, users - 1],
        asked.sum(axis=1),
        asked.sum(axis=1) / users,
        np.where(asked.any(axis=1), asked.argmax(axis=1), _FAR),
        in_newest > 0,
        in_newest,
        answered.sum(axis=1),
        np.where(answered.any(axis=1), answered.argmax(axis=1), _NO_ANSWER),
        np.bincount(stem_of, [each.word.is_name for each in occurrences], len(firsts)) > 0,
        [any(map(str.isdigit, each.word.stem)) for each in firsts],
        [len(each.word.stem) for each in firsts],
        np.bincount(stem_of, minlength=len(firsts)),
    ]
    return np.array(columns, np.float32).T
