"""Judges how well a window of a passage supports a claim.

Most results cannot change the verdict once another window has settled it, so each one is computed on demand and cached.
A window is a sentence of a passage, or two. No I/O.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from libs.text.dates.document_dates import DateMention
from services.answer.lexicon.related_words import has_equivalent
from services.answer.lexicon.words import stems_of
from services.answer.verification.checks import (
    contrary,
    denials,
    exchanged_date,
    has_agent,
    has_predicates,
    missing,
    missing_dates,
)
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.names import other_names
from services.answer.verification.negations import are_denials_supported
from services.answer.verification.windows import EvidenceWindow, SourceMaterial

VERIFIED_SUPPORT = 0.5
"""Least share of a verified sentence's content words that its source has. Like the other bounds, it was set on the seen
pairs of the sample documents and on answers of the benchmark MTRAG (`bench.verification`)."""
MIN_UNNAMED = 0.15
"""Least share of its words other than names that the window has (by hand)."""
LOOSE_CREDIT = 0.7
"""For a word that is elsewhere in the passage, or of which the window has a synonym, beside 1 for the word itself (by
hand)."""
_MAIN = 0.8
"""A sentence with this share of what the window has of the claim is its main sentence; the others only add to it
(by hand)."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence to compare, with the stems that count for it."""

    claims: Claims
    undated_stems: frozenset[str]
    """The stems outside of dates, which are checked separately; all stems if there are no others."""
    unnamed_stems: frozenset[str]
    """The stems outside of dates and names; all stems if there are no others."""


def read_claim(sentence: str, language: str) -> Claim:
    """Parse a sentence for comparison with passages of a language (ISO 639-1)."""
    claims = read_claims(sentence, language)
    undated_stems = frozenset(stems_of(claims.text_without_dates, language)) or claims.stems
    return Claim(claims, undated_stems, undated_stems - claims.name_stems or claims.stems)


class SupportJudgement:
    """How well a window supports a claim.

    Args:
        claim: the sentence.
        window: what it is compared with.
        material: all available passages.
    """

    def __init__(self, claim: Claim, window: EvidenceWindow, material: SourceMaterial) -> None:
        self.window = window
        self._claim = claim
        self.claims = claim.claims
        self._material = material
        self._title = window.source.passage.title
        self._findings = self._find_contradictions()

    @cached_property
    def near(self) -> float:
        """The support by the window alone, without the rest of its passage."""
        return self._support(self._claim.undated_stems, self.window.stems)

    @cached_property
    def support(self) -> float:
        """The share of the claim's words that the source has, in [0, 1]."""
        return self._support(self._claim.undated_stems, self.window.stems, self.window.passage_stems)

    @property
    def contradicted(self) -> bool:
        """Whether anything contradicts the claim."""
        return self._first_finding is not None

    @cached_property
    def contradictions(self) -> tuple[str, ...]:
        """All contradictions of the claim, each as a human-readable sentence."""
        first = self._first_finding
        return tuple(dict.fromkeys((first, *self._findings))) if first else ()

    @cached_property
    def denials(self) -> tuple[str, ...]:
        """The contradictions that are a denial or an opposite in the window itself."""
        return tuple(denials(self.claims, self._window_claims))

    @cached_property
    def denies(self) -> bool:
        """Whether it denies what the sentence denies and contains the phrases that writers tend to guess."""
        return (
            are_denials_supported(self.claims, self._window_claims)
            and has_predicates(self.claims, self._window_claims)
            and has_agent(
                self.claims, [read_claims(sentence.text, sentence.language) for sentence in self.window.sentences]
            )
        )

    @cached_property
    def is_supported(self) -> bool:
        """Whether the window supports enough of the sentence, so that only its wording differs."""
        return (
            self.support >= VERIFIED_SUPPORT
            and self._support(self._claim.unnamed_stems, self.window.stems) >= MIN_UNNAMED
            and self.denies
        )

    @cached_property
    def _first_finding(self) -> str | None:
        return next(self._findings, None)

    @cached_property
    def _window_claims(self) -> Claims:
        return self.window.claims

    @cached_property
    def _main(self) -> Claims | None:
        """The claims of the window's sentence that has almost all of the claim's words; None for a single sentence."""
        if self.window.single:
            return None
        stems = self._claim.unnamed_stems
        support = [self._support(stems, sentence.stems) for sentence in self.window.sentences]
        main = self.window.sentences[support.index(max(support))]
        is_main = max(support) >= _MAIN * self._support(stems, self.window.stems)
        return read_claims(main.text, main.language) if is_main else None

    def _find_contradictions(self) -> Iterator[str]:
        evidence = self._window_claims
        yield from missing(self.claims, evidence, self.window.source.passage, self._material)
        yield from contrary(self.claims, evidence, self._title)
        yield from self.denials
        if self._main:
            yield from other_names(self.claims, self._main, self._title)
        findings = [*missing_dates(self.claims, evidence)]
        yield from findings
        if not findings and self.claims.dates and (date := self._of_something_else(evidence)):
            yield f"The source gives the date “{date.text}” for something else."

    def _of_something_else(self, evidence: Claims) -> DateMention | None:
        """The date that the source gives for something other than the claimed event, or None.

        A name or place in common is not enough: the event itself must match.
        """
        title_stems = stems_of(self._title, self.window.language)
        event_stems = self._claim.undated_stems.difference(self.claims.name_stems, title_stems)
        if event_stems and self._support(event_stems, self.window.stems) == 0:
            return self.claims.dates[0]
        return exchanged_date(self.claims, evidence)

    def _support(
        self, claim_stems: frozenset[str], evidence_stems: frozenset[str], passage_stems: frozenset[str] = frozenset()
    ) -> float:
        """The share of the claimed stems that the source has, at a discount if related or elsewhere; 0 if none."""
        exact = claim_stems & evidence_stems
        loose = sum(
            stem in passage_stems or has_equivalent(stem, evidence_stems, self.claims.language)
            for stem in claim_stems - exact
        )
        return (len(exact) + LOOSE_CREDIT * loose) / len(claim_stems) if claim_stems else 0.0
