"""Checks a sentence against passages: is it borne out, and by which words?

A sentence that stands in a passage is verified. Any other is compared with the sentences of the passages that are
nearest to it: every number, date, name and negation of it must be borne out there, and enough of its words; a number
may stand in another sentence that has more of its words. What is contradicted or has too little support is withdrawn;
what lies between is weak, and so is what claims nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.answer.citations import unmarked
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of
from services.answer.requests import VerifyRequest
from services.answer.verification.bare_sentences import beyond_comparison, without_list_marks
from services.answer.verification.checks import contrary, denials, missing, untold_dates
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.dated_clauses import belonging_elsewhere
from services.text.dates import DateMention, find_dates
from services.text.sentences import split_sentences
from services.vocabulary.answers import Citation, CitedSpan, Verdict
from services.vocabulary.evidence import Passage
from services.vocabulary.spans import Span

VERIFIED_SUPPORT = 0.5
"""The least share of a sentence's content words that its source has, for a verified one; like the other bounds set on
the seen pairs of the samples and on MTRAG's development answers (`bench.verification`)."""
WEAK_SUPPORT = 0.21
RELATED_CREDIT = 0.7
BESIDE_CREDIT = 0.5
"""For a word that the passage has, but not in the nearest sentences."""
CONTRADICTED_SCORE = 0.2
"""A contradicted sentence's score is at most this."""
SUPPORT_MARGIN = 0.2
"""Words with so much less support than the nearest ones don't clear the sentence of what contradicts it there."""
SAME_SENTENCE = 0.85
"""One sentence with so much support is what is meant; the next one's numbers don't count then."""
CLEARLY_NEAR = 0.5
"""A sentence with so much support tells of the same: what it denies no other one takes back."""
_JOINED = 3
"""So many of the nearest windows are tried with another sentence beside them."""
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
        self._everything = "\n".join(text for source in sources for text in (source.passage.title, source.passage.text))

    def check(self, sentence: str, number: int = 1) -> Citation:
        """The verdict on a sentence, the nearest words of a source with it.

        Args:
            sentence: as it would be read, without citation markers.
            number: the sentence's place in its answer, from 1.
        """
        if (quoted := self._quoted(sentence)) is not None:
            return Citation(number, (quoted,), Verdict.VERIFIED, 1.0, "The sentence stands in the passage.")
        claims = read_claims(without_list_marks(sentence))
        if reason := beyond_comparison(claims):
            return Citation(number, (), Verdict.WEAK, 0.0, reason)
        nearest = self._nearest(claims)
        judged = [self._judge(claims, window) for window in nearest]
        if judged and all(judgement.contradictions for judgement in judged):
            judged += [self._judge(claims, *joined) for joined in self._joined(claims, nearest)]
        if not judged:
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, "There is nothing in the passages to compare it with.")
        return (_denied_nearest(claims, judged) or _fairest(judged)).citation(number)

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

    def _joined(self, claims: Claims, nearest: Sequence[_Window]) -> Iterator[tuple[_Window, _Window, _Window]]:
        """The nearest windows, each with the sentence that has most of what it lacks: answers put facts together."""
        singles = [window for window in self._windows if window.single]
        for window in nearest[:_JOINED]:
            lacking = claims.stems - window.stems
            other = max(singles, key=lambda single: len(lacking & single.stems), default=None)
            if other is not None and lacking & other.stems:
                text = f"{window.text} {other.text}"
                window, other = sorted((window, other), key=lambda one: -len(claims.stems & one.stems))
                yield window, other, replace(window, text=text, stems=window.stems | other.stems, single=False)

    def _judge(
        self, claims: Claims, window: _Window, other: _Window | None = None, both: _Window | None = None
    ) -> "_Judged":
        """How a window bears the claims out; a number that it doesn't tell another sentence joined to it may."""
        told = both or window
        found = [*missing(claims, read_claims(told.text), window.source.passage, self._everything)]
        found += contrary(claims, read_claims(window.text), window.source.passage.title)
        found += denials(claims, read_claims(other.text)) if other else ()
        found += self._dates(claims, window)
        said = _said_of_it(claims)
        support = _support(said, told.stems, _stems_of_passage(window))
        return _Judged(window, tuple(dict.fromkeys(found)), support, _support(said, told.stems), both is not None)

    def _dates(self, claims: Claims, window: _Window) -> Iterator[str]:
        """The window alone must tell them, with what happened at them."""
        untold = [*untold_dates(claims, read_claims(window.text), window.source.passage)]
        yield from untold
        if not untold and claims.dates and (date := _of_something_else(claims, read_claims(window.text), window)):
            yield f"The source gives the date “{date.text}” for something else."


@dataclass(frozen=True, slots=True)
class _Judged:
    """How a window bears a sentence out."""

    window: _Window
    contradictions: tuple[str, ...]
    support: float
    near: float
    """The support of the window alone, without the rest of its passage."""

    joined: bool = False
    """Whether another sentence helps to bear it out."""

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


def _denied_nearest(claims: Claims, judged: Sequence[_Judged]) -> _Judged | None:
    """The single sentence nearest to the claims, where it denies them: what stands around it doesn't take that back."""
    singles = [judgement for judgement in judged if judgement.window.single and not judgement.joined]
    nearest = max(singles, key=lambda judgement: judgement.near, default=None)
    if nearest is None or nearest.near < CLEARLY_NEAR:
        return None
    return nearest if any(denials(claims, read_claims(nearest.window.text))) else None


def _fairest(judged: Sequence[_Judged]) -> _Judged:
    """The one that speaks least against the sentence, of those that are about the same thing."""
    enough = max(judgement.near for judgement in judged) - SUPPORT_MARGIN
    near = [judgement for judgement in judged if judgement.near >= enough]
    alone = [judgement for judgement in near if judgement.window.single and judgement.near >= SAME_SENTENCE]
    return min(alone or near, key=lambda judgement: (len(judgement.contradictions), -judgement.near))


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


def _support(claimed: frozenset[str], told: frozenset[str], beside: frozenset[str] = frozenset()) -> float:
    """The share of the claimed stems that are told, at a discount those that are related to what is told or stand
    elsewhere in the passage; 0 where nothing is claimed."""
    return sum(_credit(stem, told, beside) for stem in claimed) / len(claimed) if claimed else 0.0


def _credit(stem: str, told: frozenset[str], beside: frozenset[str]) -> float:
    if stem in told:
        return 1.0
    if has_related(stem, told):
        return RELATED_CREDIT
    return BESIDE_CREDIT if stem in beside else 0.0


def _stems_of_passage(window: _Window) -> frozenset[str]:
    return read_claims(window.source.passage.text).stems


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
