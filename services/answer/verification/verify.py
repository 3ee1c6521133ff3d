"""Checks sentences against passages and finds the words that support each of them.

A sentence is compared with the nearest windows, each a sentence or two of a passage. One must support every number,
date, name and negation in it, and enough of its words. A sentence that is contradicted or has too little support is
withdrawn; anything in between is weak. Numbers that name no source are chosen by hand. Keeps a core busy, without I/O;
raises WorkCancelled when nobody waits any more.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import nsmallest
from itertools import accumulate
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.stages.answer import VerifyRequest
from libs.runtime.threads import raise_if_cancelled
from libs.text.dates.document_dates import DateMention
from services.answer.citing.citations import without_markers
from services.answer.lexicon.related_words import has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.checks import (
    contrary,
    exchanged_date,
    has_agent,
    has_predicates,
    missing,
    missing_dates,
    other_names,
)
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.contraries import are_denials_supported, denials
from services.answer.verification.windows import EvidenceWindow, SourceMaterial, WindowSource

_LIST_MARK: Final = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
MAX_FIGURES: Final = 60
"""Maximum numbers and dates of a sentence; each is compared with all those of a source."""
VERIFIED_SUPPORT = 0.5
"""Least share of a verified sentence's content words that its source has. Like the other bounds, it was set on the seen
pairs of the sample documents and on answers of the benchmark MTRAG (`bench.verification`)."""
LOOSE_CREDIT = 0.7
"""For a word that is elsewhere in the passage, or of which the window has a synonym, beside 1 for the word itself (by
hand)."""
_MAIN = 0.8
"""A sentence with this share of what the window has of the claim is its main sentence; the others only add to it
(by hand)."""
WEAK_SUPPORT = 0.21
"""Support from which a sentence that nothing contradicts is weak; below it is withdrawn."""
CONTRADICTED_SCORE = 0.2
"""Upper bound for the score of a contradicted sentence."""
SUPPORT_MARGIN = 0.2
"""A window whose support is lower than the nearest one's by more than this cannot clear a contradiction found there."""
CLEARLY_NEAR = 0.5
"""With this much support, a sentence is about the same thing: a denial in it is final."""
MAX_WORK: Final = 10_000_000_000
"""Characters of the sentences times those of the passages: 6,000 and 1.7 million take 5 s. Later sentences are weak."""
_NEAREST = 3
"""How many of the nearest windows are compared claim by claim (4: 3 of 752 false sentences fewer are withdrawn)."""


def without_list_marks(sentence: str) -> str:
    """Return the sentence without a list marker."""
    return _LIST_MARK.sub("", sentence) or sentence


class SupportJudgement:
    """How well a window of a passage supports a claim; each result is computed on demand, as most are not needed."""

    def __init__(self, claims: Claims, window: EvidenceWindow, material: SourceMaterial) -> None:
        self.window = window
        self._claims = claims
        self._evidence = window.claims
        self._material = material
        self._title = window.source.passage.title

    @cached_property
    def near(self) -> float:
        """The support by the window alone, without the rest of its passage."""
        return self._support(self._claims.undated_stems, self.window.stems)

    @cached_property
    def support(self) -> float:
        """The share of the claim's words that the source has, in [0, 1]."""
        return self._support(self._claims.undated_stems, self.window.stems, self.window.source.parsed.stems)

    @cached_property
    def contradictions(self) -> tuple[str, ...]:
        """All contradictions of the claim, each as a human-readable sentence."""
        return tuple(dict.fromkeys(self._find_contradictions()))

    @cached_property
    def denials(self) -> tuple[str, ...]:
        """The contradictions that are a denial or an opposite in the window itself."""
        return tuple(denials(self._claims, self._evidence))

    @cached_property
    def is_supported(self) -> bool:
        """Whether the window supports enough of the sentence, so that only its wording differs.

        It also has to deny what the sentence denies, and to have the phrases that writers tend to guess.
        """
        return (
            self.support >= VERIFIED_SUPPORT
            and are_denials_supported(self._claims, self._evidence)
            and has_predicates(self._claims, self._evidence)
            and has_agent(self._claims, [sentence.claims for sentence in self.window.sentences])
        )

    @cached_property
    def _main(self) -> Claims | None:
        """The claims of the window's sentence that has almost all of the claim's words; None for a single sentence."""
        if self.window.single:
            return None
        stems = self._claims.unnamed_stems
        support = [self._support(stems, sentence.stems) for sentence in self.window.sentences]
        main = self.window.sentences[support.index(max(support))]
        is_main = max(support) >= _MAIN * self._support(stems, self.window.stems)
        return main.claims if is_main else None

    def _find_contradictions(self) -> Iterator[str]:
        yield from missing(self._claims, self._evidence, self.window.source.passage, self._material)
        yield from contrary(self._claims, self._evidence, self._title)
        yield from self.denials
        if self._main:
            yield from other_names(self._claims, self._main, self._title)
        findings = [*missing_dates(self._claims, self._evidence)]
        yield from findings
        if not findings and self._claims.dates and (date := self._of_something_else()):
            yield f"The source gives the date “{date.text}” for something else."

    def _of_something_else(self) -> DateMention | None:
        """The date that the source gives for another event than the claimed one, or None.

        A name or place in common is not enough: the event itself must match.
        """
        title_stems = stems_of(self._title, self.window.language)
        event_stems = self._claims.undated_stems.difference(self._claims.name_stems, title_stems)
        if event_stems and self._support(event_stems, self.window.stems) == 0:
            return self._claims.dates[0]
        return exchanged_date(self._claims, self._evidence)

    def _support(
        self, claim_stems: frozenset[str], evidence_stems: frozenset[str], passage_stems: frozenset[str] = frozenset()
    ) -> float:
        """The share of the claimed stems that the source has, at a discount if related or elsewhere; 0 if none."""
        exact = claim_stems & evidence_stems
        loose = sum(
            stem in passage_stems or has_equivalent(stem, evidence_stems, self._claims.language)
            for stem in claim_stems - exact
        )
        return (len(exact) + LOOSE_CREDIT * loose) / len(claim_stems) if claim_stems else 0.0


class Checker:
    """Checks sentences against a fixed set of passages, which are read only once."""

    def __init__(self, sources: Sequence[WindowSource]) -> None:
        self._material = SourceMaterial(sources)

    def check(self, sentence: str, number: int = 1) -> Citation:
        """Return the verdict on a sentence without citation markers, with the nearest words of a source."""
        raise_if_cancelled()
        language = self._material.languages[0]
        text = without_list_marks(sentence)
        claims = read_claims(text, language)
        if len(claims.quantities) + len(claims.dates) > MAX_FIGURES:
            reason = "It has too many numbers to be compared with the passages."
            return Citation(number, (), Verdict.WEAK, 0.0, reason)
        judgements = self._judgements(text)
        if not judgements:
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, "There is nothing in the passages to compare it with.")
        judgement = _nearest_denial(judgements) or _most_favourable(judgements)
        return _citation(judgement, number)

    def _judgements(self, text: str) -> list[SupportJudgement]:
        """The judgements of the windows that share most words with the sentence, nearest first."""
        # A sentence is read as its source is: only the stems of one language can be compared.
        claims = {language: read_claims(text, language) for language in self._material.languages}
        nearest = nsmallest(
            _NEAREST,
            self._material.shortest_windows,
            key=lambda window: -len(claims[window.language].stems & window.stems),
        )
        judgements = [SupportJudgement(claims[window.language], window, self._material) for window in nearest]
        return sorted(judgements, key=lambda judgement: -judgement.near)


def _citation(judgement: SupportJudgement, number: int) -> Citation:
    """The verdict according to the chosen window."""
    references = (judgement.window.cited_span,)
    support = judgement.support
    if judgement.contradictions:
        score = min(support, CONTRADICTED_SCORE)
        return Citation(number, references, Verdict.WITHDRAWN, score, " ".join(judgement.contradictions))
    if judgement.is_supported:
        reason = "The source supports its numbers, dates, names and most of its words."
        return Citation(number, references, Verdict.VERIFIED, support, reason)
    if support >= WEAK_SUPPORT:
        reason = "Nothing contradicts it, but the source words it differently or says less."
        return Citation(number, references, Verdict.WEAK, support, reason)
    return Citation(number, references, Verdict.WITHDRAWN, support, "No passage says anything like it.")


def _nearest_denial(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    """The nearest single sentence if it denies the claim; its context cannot revoke that."""
    nearest = next((judgement for judgement in judgements if judgement.window.single), None)
    return nearest if nearest and nearest.near >= CLEARLY_NEAR and nearest.denials else None


def _most_favourable(judgements: Sequence[SupportJudgement]) -> SupportJudgement:
    """The nearest judgement with nothing against the sentence, of those about as near as the first one; else that."""
    near = (judgement for judgement in judgements if judgement.near >= judgements[0].near - SUPPORT_MARGIN)
    return next((judgement for judgement in near if not judgement.contradictions), judgements[0])


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """Return a verdict for each sentence, in order; citation markers in a sentence are ignored."""
    checker = Checker([WindowSource(passage) for passage in request.passages])
    most = MAX_WORK // (1 + sum(len(passage.text) for passage in request.passages))
    characters = accumulate(map(len, request.sentences))
    return tuple(
        checker.check(without_markers(sentence)[0], number)
        if so_far <= most
        else Citation(number, (), Verdict.WEAK, 0.0, "There is too much to compare it with.")
        for number, (sentence, so_far) in enumerate(zip(request.sentences, characters, strict=True), start=1)
    )
