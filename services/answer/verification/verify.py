"""Checks sentences against passages and finds the words that support each of them.

A sentence quoted verbatim from a passage is verified. Any other sentence is compared with the nearest sentences of the
passages. These must support every number, date, name and negation in it, and enough of its words; a number may come
from another sentence if that one contains more of the words. A sentence that is contradicted or has too little support
is withdrawn. Anything in between is weak, and so is a sentence that makes no claim.

The nearest window is evaluated first; if it settles the verdict, the others are not evaluated.
"""

from collections.abc import Iterator, Sequence
from heapq import nsmallest

from libs.contracts.answers import Citation, Verdict
from libs.contracts.stages.answer import VerifyRequest
from services.answer.citations import unmarked
from services.answer.verification.bare_sentences import beyond_comparison, without_list_marks
from services.answer.verification.checks import NOT_DENIED, denied_in_one
from services.answer.verification.judging import Claim, Joined, Judgement, read_claim
from services.answer.verification.windows import EvidenceWindow, Material, Source

WEAK_SUPPORT = 0.21
CONTRADICTED_SCORE = 0.2
"""Upper bound for the score of a contradicted sentence."""
SUPPORT_MARGIN = 0.2
"""A window whose support is lower than the nearest one's by more than this cannot clear a contradiction found there."""
SAME_SENTENCE = 0.85
"""With this much support in a single sentence, numbers from other sentences no longer count."""
CLEARLY_NEAR = 0.5
"""With this much support, a sentence is about the same thing: a denial in it is final."""
_JOINED = 3
"""How many of the nearest windows are also tried together with another sentence."""
_NEAREST = 4
"""How many of the nearest windows are compared claim by claim."""


class Checker:
    """Checks sentences against a fixed set of passages, which are read only once."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._material = Material(sources)

    def check(self, sentence: str, number: int = 1) -> Citation:
        """Return the verdict on a sentence, with the nearest words of a source.

        Args:
            sentence: as displayed, without citation markers.
            number: position of the sentence in its answer, from 1.
        """
        if (quoted := self._material.quoted(sentence)) is not None:
            return Citation(number, (quoted.cited,), Verdict.VERIFIED, 1.0, "The sentence stands in the passage.")
        claim = read_claim(without_list_marks(sentence))
        if reason := beyond_comparison(claim.claims):
            return Citation(number, (), Verdict.WEAK, 0.0, reason)
        judged = self._judged(claim)
        if not judged:
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, "There is nothing in the passages to compare it with.")
        chosen = _denied_nearest(judged) or _undenied(judged) or _fairest(judged)
        return _turned(claim, chosen, judged, number) or _cited(chosen, number)

    def _judged(self, claim: Claim) -> list[Judgement]:
        """The judgements of the nearest windows, nearest first; joined windows are added if all contradict it."""
        nearest = self._nearest(claim)
        judged = _nearest_first([Judgement(claim, window, self._material) for window in nearest])
        if all(judgement.contradicted for judgement in judged):
            joined = self._joined(claim, nearest)
            judged += [Judgement(claim, window, self._material, joined) for window, joined in joined]
        return _nearest_first(judged)

    def _nearest(self, claim: Claim) -> list[EvidenceWindow]:
        """The windows that share most words with the sentence, with and without its dates."""
        dated = claim.claims.dates
        fit = [window for window in self._material.windows if window.single or not (dated and window.dated_twice)]
        nearest = [
            window
            for stems in dict.fromkeys((claim.claims.stems, claim.said))
            for window in nsmallest(_NEAREST, fit, key=lambda w: (-len(stems & w.stems), w.length))
        ]
        return list({(window.source.passage.passage_id, window.span): window for window in nearest}.values())

    def _joined(self, claim: Claim, nearest: Sequence[EvidenceWindow]) -> Iterator[tuple[EvidenceWindow, Joined]]:
        """The nearest windows, each with the sentence that has most of its missing words: answers combine facts."""
        stems = claim.claims.stems
        singles = [window for window in self._material.windows if window.single]
        for window in nearest[:_JOINED]:
            lacking = stems - window.stems
            other = max(singles, key=lambda single: len(lacking & single.stems), default=None)
            if other is not None and lacking & other.stems:
                both = window.joined(other)
                window, other = sorted((window, other), key=lambda one: -len(stems & one.stems))
                yield window, Joined(other, both)


def _nearest_first(judged: Sequence[Judgement]) -> list[Judgement]:
    return sorted(judged, key=lambda judgement: -judgement.near)


def _cited(judgement: Judgement, number: int) -> Citation:
    """The verdict according to the chosen window."""
    references = (judgement.window.cited,)
    support = judgement.support
    if judgement.contradicted:
        return _contradicted(judgement, judgement.contradictions, number)
    if judgement.borne_out:
        reason = "Its numbers, dates, names and most of its words are borne out."
        return Citation(number, references, Verdict.VERIFIED, support, reason)
    if support >= WEAK_SUPPORT:
        reason = "Nothing contradicts it, but the source words it differently or says less."
        return Citation(number, references, Verdict.WEAK, support, reason)
    return Citation(number, references, Verdict.WITHDRAWN, support, "No passage says anything like it.")


def _contradicted(judgement: Judgement, reasons: Sequence[str], number: int) -> Citation:
    score = min(judgement.support, CONTRADICTED_SCORE)
    return Citation(number, (judgement.window.cited,), Verdict.WITHDRAWN, score, " ".join(reasons))


def _turned(claim: Claim, chosen: Judgement, judged: Sequence[Judgement], number: int) -> Citation | None:
    """Withdraw a weak sentence if the nearest single sentence denies it, or does not deny what it denies; else None."""
    if not chosen.weak or (nearest := _nearest_single(judged)) is None:
        return None
    reason = denied_in_one(claim.claims, nearest.window.claims)
    return _contradicted(nearest, (reason,), number) if reason else None


def _nearest_single(judged: Sequence[Judgement]) -> Judgement | None:
    singles = (judgement for judgement in judged if judgement.window.single and not judgement.joined)
    return next(singles, None)


def _denied_nearest(judged: Sequence[Judgement]) -> Judgement | None:
    """The nearest single sentence if it denies the claim; its context cannot revoke that."""
    nearest = _nearest_single(judged)
    return nearest if nearest is not None and nearest.near >= CLEARLY_NEAR and nearest.denials else None


def _undenied(judged: Sequence[Judgement]) -> Judgement | None:
    """A window that states what the sentence denies, unless another window about as near denies it too."""
    near = _near(judged)
    if any(judgement.denies for judgement in near):
        return None
    return next((judgement for judgement in near if NOT_DENIED in judgement.contradictions), None)


def _fairest(judged: Sequence[Judgement]) -> Judgement:
    """The nearest judgement with the least evidence against the sentence, among those about the same thing."""
    near = _near(judged)
    alone = [judgement for judgement in near if judgement.window.single and judgement.near >= SAME_SENTENCE]
    fair = (judgement for judgement in alone or near if not (judgement.contradicted or judgement.elsewhere))
    return next(fair, None) or min(alone or near, key=lambda one: len(one.contradictions) + one.elsewhere)


def _near(judged: Sequence[Judgement]) -> list[Judgement]:
    """The judgements about as near as the first one, which is the nearest."""
    return [judgement for judgement in judged if judgement.near >= judged[0].near - SUPPORT_MARGIN]


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """Return a verdict for each sentence, in order; citation markers in a sentence are ignored."""
    checker = Checker([Source(passage) for passage in request.passages])
    return tuple(
        checker.check(unmarked(sentence)[0], number) for number, sentence in enumerate(request.sentences, start=1)
    )
