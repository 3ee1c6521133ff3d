"""Checks a sentence against passages: is it borne out, and by which words?

A sentence that stands in a passage is verified. Any other is compared with the sentences of the passages that are
nearest to it: every number, date, name and negation of it must be borne out there, and enough of its words; a number
may stand in another sentence that has more of its words. What is contradicted or has too little support is withdrawn;
what lies between is weak, and so is what claims nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from services.answer.citations import unmarked
from services.answer.lexicon.related_words import told_alike
from services.answer.lexicon.words import stems_of
from services.answer.requests import VerifyRequest
from services.answer.verification.bare_sentences import beyond_comparison, without_list_marks
from services.answer.verification.checks import (
    NOT_DENIED,
    contrary,
    denial_borne_out,
    denials,
    denied_in_one,
    missing,
    other_things,
    untold_dates,
)
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.dated_clauses import belonging_elsewhere
from services.answer.verification.name_checks import names_elsewhere, other_names
from services.answer.verification.predicates import clauses_told, predicates_told
from services.answer.verification.things import other_thing
from services.answer.verification.windows import Source as Source
from services.answer.verification.windows import Window, windows_of
from services.text.dates import DateMention
from services.vocabulary.answers import Citation, CitedSpan, Verdict

VERIFIED_SUPPORT = 0.5
"""The least share of a sentence's content words that its source has, for a verified one; like the other bounds set on
the seen pairs of the samples and on MTRAG's development answers (`bench.verification`)."""
LEAST_UNNAMED = 0.25
"""The least share of its words other than names that they have."""
LEAST_NEAR = 0.35
"""The least share that the nearest words alone have, without the rest of their passage."""
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
_MAIN = 0.8
"""One sentence with so large a part of what a window has of the claim tells it; the others only add to it."""
_JOINED = 3
"""So many of the nearest windows are tried with another sentence beside them."""
_NEAREST = 4
"""So many of the nearest windows are compared claim by claim."""


class Checker:
    """Checks sentences against the same passages; what is read of them is read once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)
        self._windows = tuple(window for source in sources for window in windows_of(source))
        self._quotes = {_plain(window.span.of(window.source.passage.text)): window for window in self._windows[::-1]}
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
        chosen = _denied_nearest(claims, judged) or _undenied(judged) or _fairest(judged)
        return (_turned(claims, chosen, judged) or chosen).citation(number)

    def _quoted(self, sentence: str) -> CitedSpan | None:
        window = self._quotes.get(_plain(sentence))
        return window.cited if window else None

    def _nearest(self, claims: Claims) -> list[Window]:
        """The windows with most of the sentence's words, and those with most of what it says of dates and numbers."""
        fit = [window for window in self._windows if window.single or not (claims.dates and window.dated_twice)]
        nearest = [
            window
            for stems in dict.fromkeys((claims.stems, _said_of_it(claims)))
            for window in nsmallest(_NEAREST, fit, key=lambda w: (-len(stems & w.stems), w.length))
        ]
        return list({(window.source.passage.passage_id, window.span): window for window in nearest}.values())

    def _joined(self, claims: Claims, nearest: Sequence[Window]) -> Iterator[tuple[Window, Window, Window]]:
        """The nearest windows, each with the sentence that has most of what it lacks: answers put facts together."""
        singles = [window for window in self._windows if window.single]
        for window in nearest[:_JOINED]:
            lacking = claims.stems - window.stems
            other = max(singles, key=lambda single: len(lacking & single.stems), default=None)
            if other is not None and lacking & other.stems:
                both = window.joined(other)
                window, other = sorted((window, other), key=lambda one: -len(claims.stems & one.stems))
                yield window, other, both

    def _judge(
        self, claims: Claims, window: Window, other: Window | None = None, both: Window | None = None
    ) -> "_Judged":
        """How a window bears the claims out; a number that it doesn't tell another sentence joined to it may."""
        told = both or window
        title = window.source.passage.title
        found = [*missing(claims, told.claims, window.source.passage, self._everything)]
        found += contrary(claims, window.claims, title)
        if thing := other_thing(claims, told.claims, window.passage_stems):
            found.append(f"The source says this of another thing than “{thing}”.")
        main = _main(claims, told)
        found += other_things(claims, main, told.claims, title) if main else ()
        found += denials(claims, other.claims) if other else ()
        found += self._dates(claims, window, other)
        said = _said_of_it(claims)
        return _Judged(
            window,
            tuple(dict.fromkeys(found)),
            _support(said, told.stems, window.passage_stems),
            _support(said, told.stems),
            both is not None,
            denial_borne_out(claims, told.claims)
            and predicates_told(claims, told.claims)
            and clauses_told(claims, [read_claims(sentence.text) for sentence in told.sentences]),
            names_elsewhere(claims, main or told.claims, title),
            _support(_unnamed(claims), told.stems),
        )

    def _dates(self, claims: Claims, window: Window, other: Window | None) -> Iterator[str]:
        """The window must tell them, with what happened at them, or, where it has none, the sentence joined to it."""
        if other and claims.dates and not window.claims.dates:
            window = other if other.claims.dates else window
            yield from other_names(claims, window.claims, window.source.passage.title)
        untold = [*untold_dates(claims, window, self._sources)]
        yield from untold
        if not untold and claims.dates and (date := _of_something_else(claims, window)):
            yield f"The source gives the date “{date.text}” for something else."


@dataclass(frozen=True, slots=True)
class _Judged:
    """How a window bears a sentence out."""

    window: Window
    contradictions: tuple[str, ...]
    support: float
    near: float
    """The support of the window alone, without the rest of its passage."""

    joined: bool = False
    """Whether another sentence helps to bear it out."""

    denies: bool = True
    """Whether it denies what the sentence denies."""

    elsewhere: int = 0
    """So many names of the sentence stand in other words of the sources only."""

    unnamed: float = 1
    """The support of its words other than names."""

    @property
    def _borne_out(self) -> bool:
        """Whether enough of the sentence is told, and nothing but its wording is left to the rest of the sources."""
        whole = self.denies and not self.elsewhere and self.near >= LEAST_NEAR and self.unnamed >= LEAST_UNNAMED
        return whole and self.support >= VERIFIED_SUPPORT

    @property
    def weak(self) -> bool:
        """Whether nothing contradicts it and too little bears it out."""
        return not (self.contradictions or self._borne_out)

    def citation(self, number: int) -> Citation:
        references = (self.window.cited,)
        if self.contradictions:
            score = min(self.support, CONTRADICTED_SCORE)
            return Citation(number, references, Verdict.WITHDRAWN, score, " ".join(self.contradictions))
        if self._borne_out:
            reason = "Its numbers, dates, names and most of its words are borne out."
            return Citation(number, references, Verdict.VERIFIED, self.support, reason)
        if self.support >= WEAK_SUPPORT:
            reason = "Nothing contradicts it, but the source words it differently or says less."
            return Citation(number, references, Verdict.WEAK, self.support, reason)
        return Citation(number, references, Verdict.WITHDRAWN, self.support, "No passage says anything like it.")


def _turned(claims: Claims, chosen: _Judged, judged: Sequence[_Judged]) -> _Judged | None:
    """The nearest single sentence, where the claims are hardly told and it denies them or doesn't deny what they do."""
    nearest = _nearest_single(judged)
    if nearest is None or not chosen.weak or (reason := denied_in_one(claims, nearest.window.claims)) is None:
        return None
    return replace(nearest, contradictions=(reason,))


def _nearest_single(judged: Sequence[_Judged]) -> _Judged | None:
    singles = [judgement for judgement in judged if judgement.window.single and not judgement.joined]
    return max(singles, key=lambda judgement: judgement.near, default=None)


def _denied_nearest(claims: Claims, judged: Sequence[_Judged]) -> _Judged | None:
    """The single sentence nearest to the claims, where it denies them: what stands around it doesn't take that back."""
    nearest = _nearest_single(judged)
    if nearest is None or nearest.near < CLEARLY_NEAR:
        return None
    return nearest if any(denials(claims, nearest.window.claims)) else None


def _undenied(judged: Sequence[_Judged]) -> _Judged | None:
    """A window that tells what the sentence denies, where no other one that is about as near denies it, too."""
    nearest = max(judgement.near for judgement in judged)
    near = [judgement for judgement in judged if judgement.near >= nearest - SUPPORT_MARGIN]
    if any(judgement.denies for judgement in near):
        return None
    return max(
        (judgement for judgement in near if NOT_DENIED in judgement.contradictions),
        key=lambda judgement: judgement.near,
        default=None,
    )


def _fairest(judged: Sequence[_Judged]) -> _Judged:
    """The one that speaks least against the sentence, of those that are about the same thing."""
    enough = max(judgement.near for judgement in judged) - SUPPORT_MARGIN
    near = [judgement for judgement in judged if judgement.near >= enough]
    alone = [judgement for judgement in near if judgement.window.single and judgement.near >= SAME_SENTENCE]
    return min(
        alone or near, key=lambda judgement: (len(judgement.contradictions) + judgement.elsewhere, -judgement.near)
    )


def _main(claims: Claims, window: Window) -> Claims | None:
    """What the one sentence of a window claims that has almost all of the claim's words; None for a single one."""
    if window.single:
        return None
    said = _unnamed(claims)
    support = [_support(said, sentence.stems) for sentence in window.sentences]
    main = window.sentences[support.index(max(support))]
    return read_claims(main.text) if max(support) >= _MAIN * _support(said, window.stems) else None


def _said_of_it(claims: Claims) -> frozenset[str]:
    """The stems outside of dates, which are checked by themselves; all where there are no others."""
    return frozenset(stems_of(claims.undated)) or claims.stems


def _unnamed(claims: Claims) -> frozenset[str]:
    """The stems outside of dates and names; all where there are no others."""
    return _said_of_it(claims) - claims.name_stems or claims.stems


def _of_something_else(claims: Claims, window: Window) -> DateMention | None:
    """A date that stands there, but with nothing of what is said to have happened; who and where doesn't tell what."""
    happened = _said_of_it(claims).difference(claims.name_stems, stems_of(window.source.passage.title))
    if happened and _support(happened, window.stems) == 0:
        return claims.dates[0]
    return belonging_elsewhere(claims, window.claims)


def _support(claimed: frozenset[str], told: frozenset[str], beside: frozenset[str] = frozenset()) -> float:
    """The share of the claimed stems that are told, at a discount those that are related to what is told or stand
    elsewhere in the passage; 0 where nothing is claimed."""
    return sum(_credit(stem, told, beside) for stem in claimed) / len(claimed) if claimed else 0.0


def _credit(stem: str, told: frozenset[str], beside: frozenset[str]) -> float:
    if stem in told:
        return 1.0
    if told_alike(stem, told):
        return RELATED_CREDIT
    return BESIDE_CREDIT if stem in beside else 0.0


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """A verdict for each sentence, in their order; markers in a sentence are passed over."""
    checker = Checker([Source(passage) for passage in request.passages])
    return tuple(
        checker.check(unmarked(sentence)[0], number) for number, sentence in enumerate(request.sentences, start=1)
    )
