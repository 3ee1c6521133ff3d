"""How a window of a passage bears a claim out.

A window is asked many things, most of which can't change the verdict once another window has answered: so each answer
is worked out when it is asked for, and kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from libs.text.dates import DateMention
from services.answer.lexicon.related_words import told_alike
from services.answer.lexicon.words import stems_of
from services.answer.verification.checks import contrary, denial_borne_out, denials, missing, other_things, untold_dates
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.dated_clauses import belonging_elsewhere
from services.answer.verification.name_checks import names_elsewhere, other_names
from services.answer.verification.predicates import clauses_told, predicates_told
from services.answer.verification.things import other_thing
from services.answer.verification.windows import EvidenceWindow, Material

VERIFIED_SUPPORT = 0.5
"""The least share of a sentence's content words that its source has, for a verified one; like the other bounds set on
the seen pairs of the samples and on MTRAG's development answers (`bench.verification`)."""
LEAST_UNNAMED = 0.25
"""The least share of its words other than names that they have."""
LEAST_NEAR = 0.35
"""The least share that the nearest words alone have, without the rest of their passage."""
RELATED_CREDIT = 0.7
BESIDE_CREDIT = 0.5
"""For a word that the passage has, but not in the nearest sentences."""
_MAIN = 0.8
"""One sentence with so large a part of what a window has of the claim tells it; the others only add to it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that is compared, with the stems that count for it."""

    claims: Claims
    said: frozenset[str]
    """The stems outside of dates, which are checked by themselves; all where there are no others."""
    unnamed: frozenset[str]
    """The stems outside of dates and names; all where there are no others."""


def read_claim(sentence: str) -> Claim:
    """Take a sentence apart for comparing it."""
    claims = read_claims(sentence)
    said = frozenset(stems_of(claims.undated)) or claims.stems
    return Claim(claims, said, said - claims.name_stems or claims.stems)


@dataclass(frozen=True, slots=True)
class Joined:
    """A sentence beside a window, which may tell what that lacks."""

    sentence: EvidenceWindow
    both: EvidenceWindow


class Judgement:
    """How a window bears a claim out.

    Args:
        claim: the sentence.
        window: what it is compared with.
        material: all passages that were given.
        joined: another sentence that helps to bear it out: a number that the window doesn't tell may stand there.
    """

    def __init__(self, claim: Claim, window: EvidenceWindow, material: Material, joined: Joined | None = None) -> None:
        self.window = window
        self.joined = joined is not None
        self._claim = claim
        self._claims = claim.claims
        self._material = material
        self._other = joined.sentence if joined else None
        self._told = joined.both if joined else window
        self._title = window.source.passage.title
        self._found = self._against()

    @cached_property
    def near(self) -> float:
        """The support of the window alone, without the rest of its passage."""
        return _support(self._claim.said, self._told.stems)

    @cached_property
    def support(self) -> float:
        """The share of the claim's words that are told, in [0, 1]."""
        return _support(self._claim.said, self._told.stems, self.window.passage_stems)

    @property
    def contradicted(self) -> bool:
        """Whether anything speaks against the claim."""
        return self._first_found is not None

    @cached_property
    def contradictions(self) -> tuple[str, ...]:
        """All that speaks against the claim, each as a sentence for people."""
        first = self._first_found
        return tuple(dict.fromkeys((first, *self._found))) if first else ()

    @cached_property
    def denials(self) -> tuple[str, ...]:
        """What of it is a denial or an opposite in the window itself."""
        return tuple(denials(self._claims, self._window_claims))

    @cached_property
    def denies(self) -> bool:
        """Whether it denies what the sentence denies, and tells the phrases of it that are easily guessed."""
        return (
            denial_borne_out(self._claims, self._told_claims)
            and predicates_told(self._claims, self._told_claims)
            and clauses_told(self._claims, [read_claims(sentence.text) for sentence in self._told.sentences])
        )

    @cached_property
    def elsewhere(self) -> int:
        """So many names of the sentence stand in other words of the sources only."""
        return names_elsewhere(self._claims, self._main or self._told_claims, self._title)

    @cached_property
    def borne_out(self) -> bool:
        """Whether enough of the sentence is told, and nothing but its wording is left to the rest of the sources."""
        return (
            self.near >= LEAST_NEAR
            and self.support >= VERIFIED_SUPPORT
            and _support(self._claim.unnamed, self._told.stems) >= LEAST_UNNAMED
            and not self.elsewhere
            and self.denies
        )

    @property
    def weak(self) -> bool:
        """Whether nothing contradicts it and too little bears it out."""
        return not (self.contradicted or self.borne_out)

    @cached_property
    def _first_found(self) -> str | None:
        return next(self._found, None)

    @cached_property
    def _window_claims(self) -> Claims:
        return self.window.claims

    @cached_property
    def _told_claims(self) -> Claims:
        return self._told.claims if self.joined else self._window_claims

    @cached_property
    def _main(self) -> Claims | None:
        """What the one sentence of a window claims that has almost all of the claim's words; None for a single one."""
        if self._told.single:
            return None
        said = self._claim.unnamed
        support = [_support(said, sentence.stems) for sentence in self._told.sentences]
        main = self._told.sentences[support.index(max(support))]
        return read_claims(main.text) if max(support) >= _MAIN * _support(said, self._told.stems) else None

    def _against(self) -> Iterator[str]:
        told = self._told_claims
        yield from missing(self._claims, told, self.window.source.passage, self._material)
        yield from contrary(self._claims, self._window_claims, self._title)
        yield from self.denials
        if thing := other_thing(self._claims, told, self.window.passage_stems):
            yield f"The source says this of another thing than “{thing}”."
        if self._main:
            yield from other_things(self._claims, self._main, told, self._title)
        if self._other:
            yield from denials(self._claims, self._other.claims)
        yield from self._dates()

    def _dates(self) -> Iterator[str]:
        """The window must tell them, with what happened at them, or, where it has none, the sentence joined to it."""
        window = self.window
        if self._other and self._claims.dates and not self._window_claims.dates:
            window = self._other if self._other.claims.dates else window
            yield from other_names(self._claims, window.claims, window.source.passage.title)
        untold = [*untold_dates(self._claims, window, self._material.sources)]
        yield from untold
        if not untold and self._claims.dates and (date := self._of_something_else(window)):
            yield f"The source gives the date “{date.text}” for something else."

    def _of_something_else(self, window: EvidenceWindow) -> DateMention | None:
        """The fault of a date that stands there, but with nothing of the claimed event.

        Who and where do not tell what happened.
        """
        named = self._claims.name_stems
        happened = self._claim.said.difference(named, stems_of(window.source.passage.title))
        if happened and _support(happened, window.stems) == 0:
            return self._claims.dates[0]
        return belonging_elsewhere(self._claims, window.claims)


def _support(claimed: frozenset[str], told: frozenset[str], beside: frozenset[str] = frozenset()) -> float:
    """The share of the claimed stems that the source has; 0 where nothing is claimed.

    Stems that are related, or stand elsewhere in the passage, count at a discount.
    """
    if not claimed:
        return 0.0
    lacking = claimed - told
    alike = {stem for stem in lacking if told_alike(stem, told)}
    elsewhere = (lacking - alike) & beside
    credit = len(claimed) - len(lacking) + RELATED_CREDIT * len(alike) + BESIDE_CREDIT * len(elsewhere)
    return credit / len(claimed)
