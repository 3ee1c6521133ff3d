"""Relevance: how much of the question's subject an event covers. Pure. Numbers without a source are chosen by hand."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from libs.language.known import language_of
from libs.language.topics.timelines import TimelineWords
from libs.text.tokens import Token, content_stems, is_stop_word, stem, tokenize
from services.timeline.extraction.timeline_words import of_one_family

_IN_TITLE, _IN_KIN = 0.6, 0.5
"""Weight of a word that only the document's title contains, or that matches only through its word family."""
_ABOUT = 4
"""A document that mentions a name once in this many sentences is about it, as if the name were in its title."""
_ELSEWHERE = 0.1
"""Factor on an event's relevance if neither it nor its document mentions a name from the question."""


@dataclass(frozen=True, slots=True)
class QuestionName:
    """A name in the question as written, including a number that belongs to it (`Apollo 11`), and its stems."""

    words: str
    stems: frozenset[str]
    pattern: re.Pattern[str]
    """Matches the name, but not `Saturn` in `Saturn V`."""
    is_numbered: bool
    """Whether a number belongs to it, so that neither `Apollo` nor a date's `11` is of it."""


@dataclass(frozen=True, slots=True)
class Query:
    """The subject of a question: weighted word stems, and names, at least one of which an event should mention."""

    weights: Mapping[str, float]
    names: tuple[QuestionName, ...] = ()
    language: str = field(kw_only=True)

    def namesakes(self, text: str) -> frozenset[str]:
        """Return the stems of names that a text has only in other names or in parts.

        Of `Saturn` in `the Saturn V lifted off`, of `Apollo 11` in `On 11 May Apollo 10 …`.
        """
        lower_text = text.lower()
        names = (name for name in self.names if name.is_numbered or name.words.lower() in lower_text)
        return frozenset().union(*(name.stems for name in names if not name.pattern.search(text)))


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """The document context of a sentence: weights of the question's stems found in the document's title or text."""

    credits: Mapping[str, float]


def read_question(question: str, text: str, sentences: Sequence[frozenset[str]], language: str) -> Query:
    """Return the weighted words and names of a standalone question; rare words weigh more.

    Args:
        question: the question.
        text: the text that events are chosen from, used to recognise names.
        sentences: the stems of its sentences, used to recognise rare words.
        language: the question's language, ISO 639-1.
    """
    tokens = [token for token in tokenize(question) if not is_stop_word(token.text, language)]
    frequencies = Counter(word for sentence in sentences for word in sentence)
    stems = dict.fromkeys(word for word in content_stems(question, language) if word not in _meta_stems(language))
    weights = {word: math.log(1 + len(sentences) / (1 + frequencies[word])) for word in stems}
    return Query(weights, tuple(_names(question, tokens, text, language)), language=language)


@lru_cache(maxsize=64)  # taste
def _meta_stems(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in TimelineWords.of(language).about_timelines)


def _names(question: str, tokens: Sequence[Token], text: str, language: str) -> Iterator[QuestionName]:
    """Yield the names in a question: words that the sources usually capitalise."""
    for position, token in enumerate(tokens):
        if (
            not token.is_number
            and _is_name(token.text, text, language)
            and stem(token.text, language) not in _meta_stems(language)
        ):
            following = tokens[position + 1 : position + 2]
            numbers = [t for t in following if t.is_number and question[token.end : t.start].strip() == ""]
            words = question[token.start : numbers[0].end if numbers else token.end]
            stems = frozenset(content_stems(words, language))
            yield QuestionName(words, stems, _pattern_of(words, text), bool(numbers))


def _pattern_of(words: str, text: str) -> re.Pattern[str]:
    """Return a pattern for a name that handles Roman numerals after it.

    A name that mostly occurs without a numeral is a different thing with one (the planet, the rocket). A name that
    mostly has one (`World War II`) may be shortened; with Arabic numbers it names members of a series.
    """
    any_use = re.compile(rf"\b(?i:{re.escape(words)})\b")
    without_numeral = re.compile(rf"{any_use.pattern}(?!\s[IVX]{{1,4}}B?\b)")
    return without_numeral if 2 * len(without_numeral.findall(text)) > len(any_use.findall(text)) else any_use


def _is_name(word: str, text: str, language: str) -> bool:
    if language_of(language).capitalises_nouns:  # a capital tells nothing, a second one or a digit does
        return word[0].isupper() and any(not character.islower() for character in word[1:] if character.isalnum())
    return _count(word[:1].upper() + word[1:], text) > 3 * _count(word.lower(), text)  # taste


def _count(word: str, text: str) -> int:
    """How often a word stands in a text; its letters come first in the pattern, which is four times as fast."""
    literal = re.escape(word)
    return len(re.findall(rf"{literal}(?<!\w{literal})\b", text))


def document_context(
    query: Query, title: str, text: str, sentences: int, titled: Collection[QuestionName] = ()
) -> DocumentContext:
    """Return the context of a document, given its title and the text and number of its known sentences.

    Names of `titled` have documents of their own: others are about such a thing only in the sentences that name it.
    """
    credits: dict[str, float] = {}
    for name in (name for name in query.names if name not in titled):
        share = min(1.0, _ABOUT * len(name.pattern.findall(text)) / max(1, sentences))
        credits |= {word: _IN_TITLE * share for word in name.stems if share}
    title_stems = (word for word in content_stems(title, query.language) if word in query.weights)
    return DocumentContext(credits | dict.fromkeys(title_stems, _IN_TITLE))


def relevance(query: Query, words: frozenset[str], context: DocumentContext) -> float:
    """Return the share in [0, 1] of the question's weighted words that a sentence and its document cover.

    The share is reduced if the question contains names and neither the sentence nor its document mentions one. It is 1
    if the question has no specific subject.
    """
    if not query.weights:
        return 1.0
    credits = ((weight, _credit(word, words, context, query.language)) for word, weight in query.weights.items())
    covered_weight = sum(weight * credit for weight, credit in credits)
    share = covered_weight / sum(query.weights.values())
    known_stems = words | context.credits.keys()
    elsewhere = query.names and not any(name.stems <= known_stems for name in query.names)
    return share * _ELSEWHERE if elsewhere else share


def _credit(word: str, words: frozenset[str], context: DocumentContext, language: str) -> float:
    if word in words:
        return 1.0
    if word in context.credits:
        return context.credits[word]
    return _IN_KIN if any(of_one_family(word, other, language) for other in words) else 0.0
