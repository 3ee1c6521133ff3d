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
    missing,
    missing_dates,
)
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.clauses import has_agent, has_predicates, misattributed_date
from services.answer.verification.exchanged_words import other_thing
from services.answer.verification.name_checks import names_elsewhere, other_names
from services.answer.verification.negations import are_denials_supported
from services.answer.verification.windows import EvidenceWindow, SourceMaterial

VERIFIED_SUPPORT = 0.5
"""Least share of a verified sentence's content words that its source has. Like the other bounds, it was set on the seen
pairs of the sample documents and on answers of the benchmark MTRAG (`bench.verification`)."""
MIN_UNNAMED = 0.25
"""Least share of its words other than names that the source has (by hand)."""
MIN_NEAR = 0.35
"""Least share that the window has without the rest of its passage (by hand)."""
RELATED_CREDIT = 0.7
"""For a word of which the source has a synonym or another form, beside 1 for the word itself (by hand)."""
BESIDE_CREDIT = 0.5
"""For a word that is elsewhere in the passage, not in the window (by hand)."""
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


@dataclass(frozen=True, slots=True)
class JoinedWindow:
    """A sentence joined to a window that may contain what the window lacks."""

    sentence: EvidenceWindow
    both: EvidenceWindow


class SupportJudgement:
    """How well a window supports a claim.

    Args:
        claim: the sentence.
        window: what it is compared with.
        material: all available passages.
        supplement: another sentence that may supply what the window lacks, such as a number.
    """

    def __init__(
        self, claim: Claim, window: EvidenceWindow, material: SourceMaterial, supplement: JoinedWindow | None = None
    ) -> None:
        self.window = window
        self.is_joined = supplement is not None
        self._claim = claim
        self.claims = claim.claims
        self._material = material
        self._other = supplement.sentence if supplement else None
        self._evidence = supplement.both if supplement else window
        self._title = window.source.passage.title
        self._findings = self._find_contradictions()

    @cached_property
    def near(self) -> float:
        """The support by the window alone, without the rest of its passage."""
        return self._support(self._claim.undated_stems, self._evidence.stems)

    @cached_property
    def support(self) -> float:
        """The share of the claim's words that the source has, in [0, 1]."""
        return self._support(self._claim.undated_stems, self._evidence.stems, self.window.passage_stems)

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
            are_denials_supported(self.claims, self._evidence_claims)
            and has_predicates(self.claims, self._evidence_claims)
            and has_agent(
                self.claims, [read_claims(sentence.text, sentence.language) for sentence in self._evidence.sentences]
            )
        )

    @cached_property
    def elsewhere(self) -> int:
        """The number of names in the sentence that only other parts of the sources mention."""
        return names_elsewhere(self.claims, self._main or self._evidence_claims, self._title)

    @cached_property
    def is_supported(self) -> bool:
        """Whether the window supports enough of the sentence, so that only its wording differs."""
        return (
            self.near >= MIN_NEAR
            and self.support >= VERIFIED_SUPPORT
            and self._support(self._claim.unnamed_stems, self._evidence.stems) >= MIN_UNNAMED
            and not self.elsewhere
            and self.denies
        )

    @property
    def weak(self) -> bool:
        """Whether the claim is neither contradicted nor sufficiently supported."""
        return not (self.contradicted or self.is_supported)

    @cached_property
    def _first_finding(self) -> str | None:
        return next(self._findings, None)

    @cached_property
    def _window_claims(self) -> Claims:
        return self.window.claims

    @cached_property
    def _evidence_claims(self) -> Claims:
        return self._evidence.claims if self.is_joined else self._window_claims

    @cached_property
    def _main(self) -> Claims | None:
        """The claims of the window's sentence that has almost all of the claim's words; None for a single sentence."""
        if self._evidence.single:
            return None
        stems = self._claim.unnamed_stems
        support = [self._support(stems, sentence.stems) for sentence in self._evidence.sentences]
        main = self._evidence.sentences[support.index(max(support))]
        is_main = max(support) >= _MAIN * self._support(stems, self._evidence.stems)
        return read_claims(main.text, main.language) if is_main else None

    def _find_contradictions(self) -> Iterator[str]:
        evidence = self._evidence_claims
        yield from missing(self.claims, evidence, self.window.source.passage, self._material)
        yield from contrary(self.claims, self._window_claims, self._title)
        yield from self.denials
        if thing := other_thing(self.claims, evidence, self.window.passage_stems):
            yield f"The source says this of another thing than “{thing}”."
        if self._main:
            yield from other_names(self.claims, self._main, self._title)
        if self._other:
            yield from denials(self.claims, self._other.claims)
        yield from self._dates()

    def _dates(self) -> Iterator[str]:
        """Yield date contradictions; the window, else the joined sentence, must give the dates with the event."""
        window = self.window
        if self._other and self.claims.dates and not self._window_claims.dates:
            window = self._other if self._other.claims.dates else window
            yield from other_names(self.claims, window.claims, window.source.passage.title)
        findings = [*missing_dates(self.claims, window, self._material.sources)]
        yield from findings
        if not findings and self.claims.dates and (date := self._of_something_else(window)):
            yield f"The source gives the date “{date.text}” for something else."

    def _of_something_else(self, window: EvidenceWindow) -> DateMention | None:
        """The date that the source gives for something other than the claimed event, or None.

        A name or place in common is not enough: the event itself must match.
        """
        name_stems = self.claims.name_stems
        event_stems = self._claim.undated_stems.difference(
            name_stems, stems_of(window.source.passage.title, window.language)
        )
        if event_stems and self._support(event_stems, window.stems) == 0:
            return self.claims.dates[0]
        return misattributed_date(self.claims, window.claims)

    def _support(
        self, claim_stems: frozenset[str], evidence_stems: frozenset[str], passage_stems: frozenset[str] = frozenset()
    ) -> float:
        """The share of the claimed stems that the source has; 0 if there are none.

        Related stems and stems from elsewhere in the passage count at a discount.
        """
        if not claim_stems:
            return 0.0
        missing_stems, language = claim_stems - evidence_stems, self.claims.language
        equivalents = {stem for stem in missing_stems if has_equivalent(stem, evidence_stems, language)}
        passage_only = (missing_stems - equivalents) & passage_stems
        credit = float(len(claim_stems) - len(missing_stems))
        credit += RELATED_CREDIT * len(equivalents) + BESIDE_CREDIT * len(passage_only)
        return credit / len(claim_stems)
