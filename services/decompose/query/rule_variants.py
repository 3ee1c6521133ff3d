"""A question in other words, by rules: other words beside its terms, its aspects, its conversation's topic, its parts.

Two wordings differ where a search by their words does: case, punctuation, order and little words make no difference.
The first two ways need the domain's lists, the third a conversation; parts any question has that says two things, and
they are the last resort, for a wording that lost a word finds less than the question.
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
"""Words of the longest term that is looked up."""
TOPICS: Final = 2
"""Things of the conversation that are put beside a question. Measured, as the next two, by nDCG@10 over MTRAG's 656
turns, reworded by rules and searched five deep: .493; .484 with 1, .491 with 3. Without topics and parts it is .471."""
PART: Final = 2 / 3
"""Share of a question's words that a part of it has: .493; .492 with a half, .491 with three quarters."""
PART_WEIGHT: Final = 0.3
"""What a part counts beside a whole wording: .493, as with .1; .491 with .5, .485 with 1."""


@dataclass(frozen=True, slots=True)
class Wording:
    """One way of putting a question."""

    text: str
    counts: float = 1.0
    """How much beside a whole wording, in (0, 1]."""


def differing(wordings: Iterable[Wording], language: str) -> Iterator[Wording]:
    """The wordings that are searched by other words than those before them; the first in any case.

    Args:
        wordings: asked for one by one, as they are wanted.
        language: ISO 639-1 of the question.
    """
    seen: set[frozenset[str]] = set()
    for wording in wordings:
        terms = frozenset(terms_of(wording.text, language))
        if not seen or (terms and terms not in seen):
            seen.add(terms)
            yield wording


def further(record: DecisionRecord, window: HistoryWindow, domain: Domain, language: str) -> Iterator[Wording]:
    """Wordings by rules: the question, the turn's own words, the topic beside it, its parts.

    Some of them may be searched by the same words.
    """
    yield Wording(record.standalone)
    yield Wording(record.raw)
    if record.decision is not Decision.SWITCH and (told := in_context(record.standalone, window, domain)):
        yield Wording(told)
    yield from (Wording(part, PART_WEIGHT) for part in parts(record.standalone, language))


def with_synonyms(question: str, domain: Domain) -> str | None:
    """The question with another word behind each of its terms, the longest term first; None where it has none.

    The term itself stays: a wording that lost the word that the documents use finds less than the question did.
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
    """The question with the aspects that the domain asks for beside a thing; None where it names none."""
    said = {stem(token.text) for token in tokenize(question)}
    return _beside(question, [name for name in domain.focus if not {stem(t.text) for t in tokenize(name)} <= said])


def in_context(question: str, window: HistoryWindow, domain: Domain) -> str | None:
    """The question with what the conversation is most about beside it; None where it says all of that itself."""
    names = all_names((*window.texts(), question))
    reading = ConversationReading(window, names, tuple(exchange.question for exchange in window.exchanges), domain)
    said, unsaid = stems_of(question), list[str]()
    for phrase in (candidate.phrase for candidate in reading.topic.candidates):
        if phrase.kind is not Kind.DATE and not stems_of(phrase.text) <= said:  # a date tells when, not of what
            unsaid.append(phrase.text)
            said |= stems_of(phrase.text)
    return _beside(question, unsaid[:TOPICS])


def parts(question: str, language: str) -> tuple[str, ...]:
    """The question's beginning and its end, each with two thirds of its terms.

    None where it has fewer than two terms. Scripts without spaces are cut between characters.
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
    """How many different words a text is searched by."""
    return len(set(terms_of(text, language)))


def _beside(question: str, more: Sequence[str]) -> str | None:
    return f"{question.rstrip(' ?!.')}, {', '.join(more)}" if more else None


def _term_at(tokens: tuple[Token, ...], place: int, others: Mapping[tuple[str, ...], str]) -> tuple[int, str]:
    """How many words a known term has that begins here, and another for it; 0 and nothing where none does."""
    for length in range(min(MOST_WORDS, len(tokens) - place), 0, -1):
        other = others.get(tuple(stem(token.text) for token in tokens[place : place + length]))
        if other:
            return length, other
    return 0, ""
