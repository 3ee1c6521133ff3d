"""Rewords a question by rules: with synonyms, with aspects, with the conversation's topic, and as parts.

Two wordings differ if they are searched by different words: case, punctuation, order and stop words make no difference.
The first two ways need the domain's word lists, the third a conversation. Parts work for any question with two terms;
they are the last resort, because a wording that lacks a word finds less than the question.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.query import Decision, DecisionRecord
from libs.language.analysis import terms_of
from libs.text.tokens import Token, stem, tokenize
from services.decompose.condense.content_words import all_names, stems_of
from services.decompose.condense.reading import ConversationReading
from services.decompose.history import HistoryWindow
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import PhraseKind

MAX_WORDS = 4
"""Maximum length of a term, in words (taste)."""
TOPICS: Final = 2
"""Phrases of the conversation that are added to a question. Measured, as the next two, by nDCG@10 over MTRAG's 656
turns, reworded by rules and searched five deep: .493; .484 with 1, .491 with 3. Without topics and parts it is .471."""
PART: Final = 2 / 3
"""Share of a question's words in a part of it: .493; .492 with a half, .491 with three quarters."""
PART_WEIGHT: Final = 0.3
"""Weight of a part relative to a whole wording: .493, as with .1; .491 with .5, .485 with 1."""


@dataclass(frozen=True, slots=True)
class QuestionWording:
    """A wording of a question."""

    text: str
    counts: float = 1.0
    """Weight relative to a whole wording, in (0, 1]."""


def distinct_wordings(wordings: Iterable[QuestionWording], language: str) -> Iterator[QuestionWording]:
    """Yield the wordings that are searched by different words than those before them; always yields the first.

    Args:
        wordings: consumed lazily.
        language: ISO 639-1 code of the question's language.
    """
    earlier: set[frozenset[str]] = set()
    for wording in wordings:
        terms = frozenset(terms_of(wording.text, language))
        if not earlier or (terms and terms not in earlier):
            earlier.add(terms)
            yield wording


def further_wordings(
    record: DecisionRecord, window: HistoryWindow, domain: Domain, language: str
) -> Iterator[QuestionWording]:
    """Yield wordings by rules: the question, the turn's own words, the question with the topic, its parts.

    Some of them may be searched by the same words.
    """
    yield QuestionWording(record.standalone)
    yield QuestionWording(record.raw)
    if record.decision is not Decision.SWITCH and (text := in_context(record.standalone, window, domain, language)):
        yield QuestionWording(text)
    yield from (QuestionWording(part, PART_WEIGHT) for part in parts(record.standalone, language))


def with_synonyms(question: str, domain: Domain, language: str) -> str | None:
    """Return the question with a synonym after each known term, the longest term first; None if it has none.

    The term itself stays, because a wording that lacks the word of the documents finds less than the question.
    """
    synonyms = {
        tuple(stem(t.text, language) for t in tokenize(term)): words[0]
        for term, words in domain.synonyms.items()
        if words
    }
    tokens, expansion, copied = tokenize(question), "", 0
    place = 0
    while place < len(tokens):
        length, synonym = _term_at(tokens, place, synonyms, language)
        if synonym:
            end = tokens[place + length - 1].end
            expansion += f"{question[copied:end]} {synonym}"
            copied = end
        place += max(length, 1)
    return expansion + question[copied:] if expansion else None


def with_focus(question: str, domain: Domain, language: str) -> str | None:
    """Return the question with the domain's aspects that it lacks; None if there are none to add."""
    stems = _stems(question, language)
    return _beside(question, [name for name in domain.focus if not _stems(name, language) <= stems])


def in_context(question: str, window: HistoryWindow, domain: Domain, language: str) -> str | None:
    """Return the question with the most salient topics of the conversation that it lacks; None if it lacks none."""
    names = all_names((*window.texts(), question), language)
    questions = tuple(exchange.question for exchange in window.exchanges)
    reading = ConversationReading(window, names, questions, domain, language)
    stems, topics = stems_of(question, language), list[str]()
    for phrase in (candidate.phrase for candidate in reading.topic.candidates):
        new_stems = stems_of(phrase.text, language)
        if phrase.kind is not PhraseKind.DATE and not new_stems <= stems:  # a date is not a topic
            topics.append(phrase.text)
            stems |= new_stems
    return _beside(question, topics[:TOPICS])


def parts(question: str, language: str) -> tuple[str, ...]:
    """Return the beginning and the end of a question, each with two thirds of its terms.

    Empty if it has fewer than two terms. Scripts without spaces are cut between characters.
    """
    tokens = [token for token in tokenize(question) if terms_of(token.text, language)]
    count = _term_count(question, language)
    if min(len(tokens), count) < 2:
        return ()
    start, end = tokens[0].start, tokens[-1].end
    limit = min(max(round(count * PART), 1), count - 1)
    first = bisect_right(tokens, limit, key=lambda token: _term_count(question[start : token.end], language))
    last = bisect_right(tokens[::-1], limit, key=lambda token: _term_count(question[token.start : end], language))
    beginning = question[start : tokens[first - 1].end] if first else ""
    ending = question[tokens[-last].start : end] if last else ""
    return tuple(filter(None, (beginning, ending)))


def _term_count(text: str, language: str) -> int:
    """The number of distinct words by which a text is searched."""
    return len(set(terms_of(text, language)))


def _beside(question: str, additions: Sequence[str]) -> str | None:
    return f"{question.rstrip(' ?!.')}, {', '.join(additions)}" if additions else None


def _stems(text: str, language: str) -> frozenset[str]:
    return frozenset(stem(token.text, language) for token in tokenize(text))


def _term_at(
    tokens: tuple[Token, ...], place: int, synonyms: Mapping[tuple[str, ...], str], language: str
) -> tuple[int, str]:
    """The length in words of the known term that begins here, and its synonym; 0 and empty if there is none."""
    for length in range(min(MAX_WORDS, len(tokens) - place), 0, -1):
        synonym = synonyms.get(tuple(stem(token.text, language) for token in tokens[place : place + length]))
        if synonym:
            return length, synonym
    return 0, ""
