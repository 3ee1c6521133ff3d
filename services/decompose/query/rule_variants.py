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
from services.decompose.words.phrases import Kind

MOST_WORDS = 4
"""Maximum length of a term, in words."""
TOPICS: Final = 2
"""Phrases of the conversation that are added to a question. Measured, as the next two, by nDCG@10 over MTRAG's 656
turns, reworded by rules and searched five deep: .493; .484 with 1, .491 with 3. Without topics and parts it is .471."""
PART: Final = 2 / 3
"""Share of a question's words in a part of it: .493; .492 with a half, .491 with three quarters."""
PART_WEIGHT: Final = 0.3
"""Weight of a part relative to a whole wording: .493, as with .1; .491 with .5, .485 with 1."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of a question."""

    text: str
    counts: float = 1.0
    """Weight relative to a whole wording, in (0, 1]."""


def differing(wordings: Iterable[Wording], language: str) -> Iterator[Wording]:
    """Yield the wordings that are searched by different words than those before them; always yields the first.

    Args:
        wordings: consumed lazily.
        language: ISO 639-1 code of the question's language.
    """
    seen: set[frozenset[str]] = set()
    for wording in wordings:
        terms = frozenset(terms_of(wording.text, language))
        if not seen or (terms and terms not in seen):
            seen.add(terms)
            yield wording


def further(record: DecisionRecord, window: HistoryWindow, domain: Domain, language: str) -> Iterator[Wording]:
    """Yield wordings by rules: the question, the turn's own words, the question with the topic, its parts.

    Some of them may be searched by the same words.
    """
    yield Wording(record.standalone)
    yield Wording(record.raw)
    if record.decision is not Decision.SWITCH and (told := in_context(record.standalone, window, domain)):
        yield Wording(told)
    yield from (Wording(part, PART_WEIGHT) for part in parts(record.standalone, language))


def with_synonyms(question: str, domain: Domain) -> str | None:
    """Return the question with a synonym after each known term, the longest term first; None if it has none.

    The term itself stays, because a wording that lacks the word of the documents finds less than the question.
    """
    others = {tuple(stem(t.text) for t in tokenize(term)): words[0] for term, words in domain.synonyms.items() if words}
    tokens, told, done = tokenize(question), "", 0
    place = 0
    while place < len(tokens):
        length, other = _term_at(tokens, place, others)
        if other:
            end = tokens[place + length - 1].end
            told += f"{question[done:end]} {other}"
            done = end
        place += max(length, 1)
    return told + question[done:] if told else None


def expanded(question: str, domain: Domain) -> str | None:
    """Return the question with the domain's aspects that it lacks; None if there are none to add."""
    said = {stem(token.text) for token in tokenize(question)}
    return _beside(question, [name for name in domain.focus if not {stem(t.text) for t in tokenize(name)} <= said])


def in_context(question: str, window: HistoryWindow, domain: Domain) -> str | None:
    """Return the question with the most salient topics of the conversation that it lacks; None if it lacks none."""
    names = all_names((*window.texts(), question))
    reading = ConversationReading(window, names, tuple(exchange.question for exchange in window.exchanges), domain)
    said, unsaid = stems_of(question), list[str]()
    for phrase in (candidate.phrase for candidate in reading.topic.candidates):
        if phrase.kind is not Kind.DATE and not stems_of(phrase.text) <= said:  # a date is not a topic
            unsaid.append(phrase.text)
            said |= stems_of(phrase.text)
    return _beside(question, unsaid[:TOPICS])


def parts(question: str, language: str) -> tuple[str, ...]:
    """Return the beginning and the end of a question, each with two thirds of its terms.

    Empty if it has fewer than two terms. Scripts without spaces are cut between characters.
    """
    said = [token for token in tokenize(question) if terms_of(token.text, language)]
    different = _different(question, language)
    if min(len(said), different) < 2:
        return ()
    start, end = said[0].start, said[-1].end
    most = min(max(round(different * PART), 1), different - 1)
    first = bisect_right(said, most, key=lambda token: _different(question[start : token.end], language))
    last = bisect_right(said[::-1], most, key=lambda token: _different(question[token.start : end], language))
    beginning = question[start : said[first - 1].end] if first else ""
    ending = question[said[-last].start : end] if last else ""
    return tuple(filter(None, (beginning, ending)))


def _different(text: str, language: str) -> int:
    """The number of distinct words by which a text is searched."""
    return len(set(terms_of(text, language)))


def _beside(question: str, more: Sequence[str]) -> str | None:
    return f"{question.rstrip(' ?!.')}, {', '.join(more)}" if more else None


def _term_at(tokens: tuple[Token, ...], place: int, others: Mapping[tuple[str, ...], str]) -> tuple[int, str]:
    """The length in words of the known term that begins here, and its synonym; 0 and empty if there is none."""
    for length in range(min(MOST_WORDS, len(tokens) - place), 0, -1):
        other = others.get(tuple(stem(token.text) for token in tokens[place : place + length]))
        if other:
            return length, other
    return 0, ""
