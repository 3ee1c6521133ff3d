"""Relevance: how much of what the question asks about an event tells."""
# ruff: noqa: SIM905 - a list of words reads best as words

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from libs.text.boundaries import count_of_word
from libs.text.tokens import Token, content_stems, is_stop_word, stem, tokenize
from services.timeline.families import of_one_family

_ABOUT_TIMELINES = frozenset(
    """
    history timeline chronology course event story development evolution progress milestone key major main important
    happen date year time when period era list overview tell show give describe explain summary sequence order
    """.split()
)
_IN_TITLE, _IN_KIN = 0.6, 0.5
"""What a word counts that only the document's title has, or of which there is only one of its family."""
_ABOUT = 4
"""A document in which every so many sentences say a name once is about it as if its title said it."""
_ELSEWHERE = 0.3
"""What is left of the relevance of an event when neither it nor its document tells of a name that is asked about."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name of the question as it is written, with the number that belongs to it (`Apollo 11`), and its stems."""

    words: str
    stems: frozenset[str]
    pattern: re.Pattern[str]
    """Finds it, but not `Saturn` in `Saturn V`."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks about: word stems with their weights, and the names of which one should be told of."""

    weights: Mapping[str, float]
    names: tuple[Name, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """The names as they are written."""
        return frozenset(name.words for name in self.names)

    def namesakes(self, text: str) -> frozenset[str]:
        """The stems of names that a text has only within other names: of `Saturn` in `the Saturn V lifted off`."""
        lowered = text.lower()
        spoken_of = (name for name in self.names if name.words.lower() in lowered)
        return frozenset().union(*(name.stems for name in spoken_of if not name.pattern.search(text)))


@dataclass(frozen=True, slots=True)
class Setting:
    """What a document lends its sentences: what stems of the question count that its title or its text has."""

    credits: Mapping[str, float]


def read_question(question: str, text: str, sentences: Sequence[frozenset[str]]) -> Query:
    """The words that a standalone question asks about, rare ones weighing more.

    Args:
        question: the question.
        text: what events are chosen from; tells which words are names.
        sentences: the stems of its sentences; they tell which words are rare.
    """
    tokens = [token for token in tokenize(question) if not is_stop_word(token.text)]
    told = Counter(word for sentence in sentences for word in sentence)
    stems = dict.fromkeys(word for word in content_stems(question) if word not in _meta_stems())
    weights = {word: math.log(1 + len(sentences) / (1 + told[word])) for word in stems}
    return Query(weights, tuple(_names(question, tokens, text)))


@lru_cache(maxsize=1)
def _meta_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _ABOUT_TIMELINES)


def _names(question: str, tokens: Sequence[Token], text: str) -> Iterator[Name]:
    """The names among the words of a question: those that the sources write with a capital."""
    for position, token in enumerate(tokens):
        if not token.is_number and _is_name(token.text, text) and stem(token.text) not in _meta_stems():
            following = tokens[position + 1 : position + 2]
            joined = [t for t in following if t.is_number and question[token.end : t.start].strip() == ""]
            words = question[token.start : joined[0].end if joined else token.end]
            yield Name(words, frozenset(content_stems(words)), _pattern_of(words, text))


def _pattern_of(words: str, text: str) -> re.Pattern[str]:
    """A pattern of a name that respects Roman numbers after it.

    A name that mostly stands without one is another thing than with one (the planet, the rocket). One that mostly has
    it (`World War II`) is the same when shortened; those with Arabic numbers are of its series.
    """
    any_of_them = re.compile(rf"\b(?i:{re.escape(words)})\b")
    alone = re.compile(rf"{any_of_them.pattern}(?!\s[IVX]{{1,4}}B?\b)")
    return alone if 2 * len(alone.findall(text)) > len(any_of_them.findall(text)) else any_of_them


def _is_name(word: str, text: str) -> bool:
    return count_of_word(word[:1].upper() + word[1:], text) > 3 * count_of_word(word.lower(), text)


def setting_of(query: Query, title: str, text: str, sentences: int) -> Setting:
    """What a document is about, of which so many sentences with this text are known."""
    found: dict[str, float] = {}
    for name in query.names:
        share = min(1.0, _ABOUT * len(name.pattern.findall(text)) / max(1, sentences))
        found |= {word: _IN_TITLE * share for word in name.stems if share}
    return Setting(found | {word: _IN_TITLE for word in content_stems(title) if word in query.weights})


def relevance(query: Query, words: frozenset[str], setting: Setting) -> float:
    """In [0, 1]: the weight of the question's words that a sentence tells, the document helping.

    Little when the question names something and neither the sentence nor its document tells of it; 1 when the question
    asks about nothing in particular.
    """
    if not query.weights:
        return 1.0
    told = sum(weight * _credit(word, words, setting) for word, weight in query.weights.items())
    share = told / sum(query.weights.values())
    known = words | setting.credits.keys()
    elsewhere = query.names and not any(name.stems <= known for name in query.names)
    return share * _ELSEWHERE if elsewhere else share


def _credit(word: str, words: frozenset[str], setting: Setting) -> float:
    if word in words:
        return 1.0
    if word in setting.credits:
        return setting.credits[word]
    return _IN_KIN if any(of_one_family(word, other) for other in words) else 0.0
