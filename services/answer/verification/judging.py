"""Judges how well a window of a passage supports a claim.

Most results cannot change the verdict once another window has settled it, so each one is computed on demand. A window
is a sentence of a passage, or two. No I/O.
"""

from collections.abc import Iterator
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


class SupportJudgement:
    """How well a window supports a claim.

    Args:
        claims: the sentence.
        window: what it is compared with.
        material: all available passages.
    """

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
        return self._support(self._claims.undated_stems, self.window.stems, self.window.passage_stems)

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
            and self._support(self._claims.unnamed_stems, self.window.stems) >= MIN_UNNAMED
            and are_denials_supported(self._claims, self._evidence)
            and has_predicates(self._claims, self._evidence)
            and has_agent(self._claims, [read_claims(each.text, each.language) for each in self.window.sentences])
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
        return read_claims(main.text, main.language) if is_main else None

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
        """The date that the source gives for something other than the claimed event, or None.

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
