"""Checks a sentence against passages: is it borne out, and by which words?

A sentence that stands in a passage is verified. Any other is compared with the sentences of the passages that are
nearest to it: every number, date, name and negation of it must be borne out there, and enough of its words. What is
contradicted or has too little support is withdrawn; what lies between is weak.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.answer.checks import contradictions
from services.answer.citations import unmarked
from services.answer.claims import Claims, read_claims
from services.answer.dated_clauses import belonging_elsewhere
from services.answer.related_words import related_stems
from services.answer.requests import VerifyRequest
from services.answer.words import stems_of
from services.text.dates import DateMention, find_dates
from services.text.sentences import split_sentences
from services.vocabulary.answers import Citation, CitedSpan, Verdict
from services.vocabulary.evidence import Passage
from services.vocabulary.spans import Span

VERIFIED_SUPPORT = 0.6
"""The least share of a sentence's content words that its source has, for a verified one (set on the samples)."""
WEAK_SUPPORT = 0.35
RELATED_CREDIT = 0.7
CONTRADICTED_SCORE = 0.2
"""A contradicted sentence's score is at most this."""
SUPPORT_MARGIN = 0.2
"""Words with so much less support than the nearest ones don't clear the sentence of what contradicts it there."""
SAME_SENTENCE = 0.85
"""One sentence with so much support is what is meant; the next one's numbers don't count then."""
_NEAREST = 4
"""So many of the nearest windows are compared claim by claim."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage, with the number that an answer cites it by; 0 for none."""

    passage: Passage
    number: int = 0


@dataclass(frozen=True, slots=True)
class _Window:
    """One sentence of a passage, or two that follow one another."""

    source: Source
    span: Span
    text: str
    stems: frozenset[str]
    """The title's stems are among them."""
    single: bool = True
    dated_twice: bool = False
    """Both of its sentences have dates: what one says did not happen at the other's."""


class Checker:
    """Checks sentences against the same passages; what is read of them is read once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)
        self._windows = tuple(window for source in sources for window in _windows(source))

    def check(self, sentence: str, number: int = 1) -> Citation:
        """The verdict on a sentence, the nearest words of a source with it.

        Args:
            sentence: as it would be read, without citation markers.
            number: the sentence's place in its answer, from 1.
        """
        if (quoted := self._quoted(sentence)) is not None:
            return Citation(number, (quoted,), Verdict.VERIFIED, 1.0, "The sentence stands in the passage.")
        claims = read_claims(sentence)
        judged = [self._judge(claims, window) for window in self._nearest(claims)]
        if not judged:
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, "There is nothing in the passages to compare it with.")
        return _fairest(judged).citation(number)

    def _quoted(self, sentence: str) -> CitedSpan | None:
        wanted = _plain(sentence)
        found = (window for window in self._windows if _plain(window.text) == wanted)
        window = next(found, None)
        return _cited(window) if window else None

    def _nearest(self, claims: Claims) -> list[_Window]:
        """The windows with most of the sentence's words, and those with most of what it says of dates and numbers."""
        fit = [window for window in self._windows if window.single or not (claims.dates and window.dated_twice)]
        nearest = [
            window
            for stems in (claims.stems, _said_of_it(claims))
            for window in sorted(fit, key=lambda w: (-len(stems & w.stems), len(w.text)))[:_NEAREST]
        ]
        return list({(window.source.passage.passage_id, window.span): window for window in nearest}.values())

    def _judge(self, claims: Claims, window: _Window) -> "_Judged":
        told = read_claims(window.text)
        found = [*contradictions(claims, told, window.source.passage)]
        if not found and claims.dates and (date := _of_something_else(claims, told, window)):
            found.append(f"The source gives the date “{date.text}” for something else.")
        return _Judged(window, tuple(found), _support(_said_of_it(claims), window.stems))


@dataclass(frozen=True, slots=True)
class _Judged:
    """How a window bears a sentence out."""

    window: _Window
    contradictions: tuple[str, ...]
    support: float

    def citation(self, number: int) -> Citation:
        references = (_cited(self.window),)
        if self.contradictions:
            score = min(self.support, CONTRADICTED_SCORE)
            return Citation(number, references, Verdict.WITHDRAWN, score, " ".join(self.contradictions))
        if self.support >= VERIFIED_SUPPORT:
            reason = "Its numbers, dates, names and most of its words are borne out."
            return Citation(number, references, Verdict.VERIFIED, self.support, reason)
        if self.support >= WEAK_SUPPORT:
            reason = "Nothing contradicts it, but the source words it differently or says less."
            return Citation(number, references, Verdict.WEAK, self.support, reason)
        return Citation(number, references, Verdict.WITHDRAWN, self.support, "No passage says anything like it.")


def _fairest(judged: Sequence[_Judged]) -> _Judged:
    """The one that speaks least against the sentence, of those that are about the same thing."""
    enough = max(judgement.support for judgement in judged) - SUPPORT_MARGIN
    near = [judgement for judgement in judged if judgement.support >= enough]
    alone = [judgement for judgement in near if judgement.window.single and judgement.support >= SAME_SENTENCE]
    return min(alone or near, key=lambda judgement: (len(judgement.contradictions), -judgement.support))


def _windows(source: Source) -> Iterator[_Window]:
    text = source.passage.text
    title = frozenset(stems_of(source.passage.title))
    sentences = [sentence for sentence in split_sentences(text) if not sentence.heading]
    for position, sentence in enumerate(sentences):
        for last in sentences[position : position + 2]:
            words = text[sentence.start : last.end]
            yield _Window(
                source,
                Span(sentence.start, last.end),
                words,
                frozenset(stems_of(words)) | title,
                last is sentence,
                last is not sentence and bool(find_dates(sentence.text)) and bool(find_dates(last.text)),
            )


def _said_of_it(claims: Claims) -> frozenset[str]:
    """The stems outside of dates, which are checked by themselves; all where there are no others."""
    text = claims.text
    for date in claims.dates:
        text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    return frozenset(stems_of(text)) or claims.stems


def _of_something_else(claims: Claims, told: Claims, window: _Window) -> DateMention | None:
    """A date that stands there, but with nothing of what is said to have happened; who and where doesn't tell what."""
    named = stems_of(" ".join([window.source.passage.title, *(name.text for name in claims.names)]))
    happened = _said_of_it(claims).difference(named)
    if happened and _support(happened, window.stems) == 0:
        return claims.dates[0]
    return belonging_elsewhere(claims, told)


def _support(claimed: frozenset[str], told: frozenset[str]) -> float:
    """The share of the claimed stems that are told, related words at a discount; 0 where nothing is claimed."""
    if not claimed:
        return 0.0
    related = related_stems()
    return sum(
        1.0 if stem in told else RELATED_CREDIT * (not related.get(stem, frozenset()).isdisjoint(told))
        for stem in claimed
    ) / len(claimed)


def _cited(window: _Window) -> CitedSpan:
    passage = window.source.passage
    return CitedSpan(window.source.number, passage.passage_id, window.span, window.span.of(passage.text))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """A verdict for each sentence, in their order; markers in a sentence are passed over."""
    checker = Checker([Source(passage) for passage in request.passages])
    return tuple(
        checker.check(unmarked(sentence)[0], number) for number, sentence in enumerate(request.sentences, start=1)
    )
