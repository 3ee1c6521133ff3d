"""Checks sentences against passages and finds the words that support each of them.

A sentence quoted verbatim from a passage is verified. Any other sentence is compared with the nearest sentences of the
passages. These must support every number, date, name and negation in it, and enough of its words; a number may come
from another sentence if that one contains more of the words. A sentence that is contradicted or has too little support
is withdrawn. Anything in between is weak, and so is a sentence that makes no claim.

The nearest window (a sentence or two of a passage) is evaluated first; if it settles the verdict, others are not read.

Before, each sentence is stripped of what is not part of its claim. Numbers that name no source, also of digits and
words in patterns, are chosen by hand. Keeps a core busy, without I/O; raises WorkCancelled when nobody waits any more.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.stages.answer import VerifyRequest
from libs.language.topics.clauses import Remarks
from libs.runtime.threads import raise_if_cancelled
from services.answer.citations import without_markers
from services.answer.lexicon.words import base_forms, stems_of
from services.answer.verification.claims import Claims
from services.answer.verification.judging import Claim, JoinedWindow, SupportJudgement, read_claim
from services.answer.verification.negations import NOT_DENIED, one_sided_denial
from services.answer.verification.windows import EvidenceWindow, SourceMaterial, WindowSource

_LIST_MARK: Final = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
_NEXT_MARK: Final = re.compile(r"(?<!\s)\s++\d{1,2}\.\Z")
"""The marker of the next item, left over when a list without verbs is split into sentences."""
_ITEM_ALONE: Final = re.compile(r"\A[A-ZÀ-ÖØ-Þ][^\W\d_]+ \d{1,2}\.\Z")
"""`Infection 6.` in such a list."""
_MARK_AFTER_END: Final = re.compile(r"(?<=[:.!?;)\]])\s+\d{1,2}\.\Z")
MAX_FIGURES: Final = 60
"""Maximum numbers and dates of a sentence; each is compared with all those of a source."""
_HEADING: Final = re.compile(r"\A[\w'’&/-]++(?:[ ,]++[\w'’&/-]++){0,3}[ ,]*+:\Z")


def without_list_marks(sentence: str, language: str) -> str:
    """Return the sentence without list markers and without a leading `Yes,`."""
    if _ITEM_ALONE.match(sentence):
        return _NEXT_MARK.sub("", sentence)
    remarks = Remarks.of(language)
    bare = _MARK_AFTER_END.sub("", remarks.lead.sub("", _LIST_MARK.sub("", sentence)))
    if not remarks.verb.search(bare) and base_forms(language).keys().isdisjoint(bare.lower().split()):
        bare = _NEXT_MARK.sub("", bare)
    return bare or sentence


def beyond_comparison(claims: Claims) -> str | None:
    """Return why a sentence cannot be compared with passages; None if it can.

    It makes no claim, lacks information, or has so many numbers and dates that it is a table.
    """
    if len(claims.quantities) + len(claims.dates) > MAX_FIGURES:
        return "It has too many numbers to be compared with the passages."
    remarks = Remarks.of(claims.language)
    if not claims.stems.difference(stems_of(" ".join(remarks.fillers), claims.language)):
        return "It says nothing that could be compared with the passages."
    if remarks.speech.search(claims.text):
        return "It speaks to the reader and claims nothing."
    if _HEADING.match(claims.text) and not claims.quantities:
        return "It only announces what follows."
    return "It tells what the passages don't say." if remarks.silence.search(claims.text) else None


WEAK_SUPPORT = 0.21
"""Support from which a sentence that nothing contradicts is weak; below it is withdrawn."""
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

    def __init__(self, sources: Sequence[WindowSource]) -> None:
        self._material = SourceMaterial(sources)

    def check(self, sentence: str, number: int = 1) -> Citation:
        """Return the verdict on a sentence, with the nearest words of a source.

        Args:
            sentence: as displayed, without citation markers.
            number: position of the sentence in its answer, from 1.
        """
        raise_if_cancelled()
        if (window := self._material.find_quote(sentence)) is not None:
            return Citation(number, (window.cited_span,), Verdict.VERIFIED, 1.0, "The sentence stands in the passage.")
        language = self._material.languages[0]
        text = without_list_marks(sentence, language)
        if reason := beyond_comparison(read_claim(text, language).claims):
            return Citation(number, (), Verdict.WEAK, 0.0, reason)
        judgements = self._judgements(text)
        if not judgements:
            return Citation(number, (), Verdict.WITHDRAWN, 0.0, "There is nothing in the passages to compare it with.")
        judgement = _nearest_denial(judgements) or _nearest_affirmation(judgements) or _most_favourable(judgements)
        return _reversal(judgement, judgements, number) or _citation(judgement, number)

    def _judgements(self, text: str) -> list[SupportJudgement]:
        """The judgements of the nearest windows, nearest first; joined windows are added if all contradict it."""
        # A sentence is read as its source is: only the stems of one language can be compared.
        claims = {language: read_claim(text, language) for language in self._material.languages}
        nearest = self._nearest(claims)
        judgements = _nearest_first(
            [SupportJudgement(claims[window.language], window, self._material) for window in nearest]
        )
        if all(judgement.contradicted for judgement in judgements):
            judgements += [
                SupportJudgement(claims[window.language], window, self._material, supplement)
                for window, supplement in self._joined_windows(claims, nearest)
            ]
        return _nearest_first(judgements)

    def _nearest(self, claims: Mapping[str, Claim]) -> list[EvidenceWindow]:
        """The windows that share most words with the sentence, with and without its dates."""
        dated = any(claim.claims.dates for claim in claims.values())
        candidates = [
            window for window in self._material.windows if window.single or not (dated and window.has_two_dates)
        ]
        stems = {language: claim.claims.stems for language, claim in claims.items()}
        undated_stems = {language: claim.undated_stems for language, claim in claims.items()}
        nearest = [*_most_shared(stems, candidates), *(_most_shared(undated_stems, candidates) if dated else ())]
        return list({(window.source.passage.passage_id, window.span): window for window in nearest}.values())

    def _joined_windows(
        self, claims: Mapping[str, Claim], nearest: Sequence[EvidenceWindow]
    ) -> Iterator[tuple[EvidenceWindow, JoinedWindow]]:
        """The nearest windows, each with the sentence that has most of its missing words: answers combine facts."""
        singles = [window for window in self._material.windows if window.single]
        for window in nearest[:_JOINED]:
            stems = claims[window.language].claims.stems
            missing_stems = stems - window.stems
            same_language = (single for single in singles if single.language == window.language)
            other = max(same_language, key=lambda single: len(missing_stems & single.stems), default=None)
            if other is not None and missing_stems & other.stems:
                pair = window.join(other)
                window, other = sorted((window, other), key=lambda part: -len(stems & part.stems))
                yield window, JoinedWindow(other, pair)


def _most_shared(stems: Mapping[str, frozenset[str]], windows: Sequence[EvidenceWindow]) -> list[EvidenceWindow]:
    """The windows that share most stems with the sentence as it is read in their language."""
    return nsmallest(_NEAREST, windows, key=lambda window: (-len(stems[window.language] & window.stems), window.length))


def _nearest_first(judgements: Sequence[SupportJudgement]) -> list[SupportJudgement]:
    return sorted(judgements, key=lambda judgement: -judgement.near)


def _citation(judgement: SupportJudgement, number: int) -> Citation:
    """The verdict according to the chosen window."""
    references = (judgement.window.cited_span,)
    support = judgement.support
    if judgement.contradicted:
        return _withdrawal(judgement, judgement.contradictions, number)
    if judgement.is_supported:
        reason = "The source supports its numbers, dates, names and most of its words."
        return Citation(number, references, Verdict.VERIFIED, support, reason)
    if support >= WEAK_SUPPORT:
        reason = "Nothing contradicts it, but the source words it differently or says less."
        return Citation(number, references, Verdict.WEAK, support, reason)
    return Citation(number, references, Verdict.WITHDRAWN, support, "No passage says anything like it.")


def _withdrawal(judgement: SupportJudgement, reasons: Sequence[str], number: int) -> Citation:
    score = min(judgement.support, CONTRADICTED_SCORE)
    return Citation(number, (judgement.window.cited_span,), Verdict.WITHDRAWN, score, " ".join(reasons))


def _reversal(judgement: SupportJudgement, judgements: Sequence[SupportJudgement], number: int) -> Citation | None:
    """Withdraw a weak sentence if the nearest single sentence denies it, or does not deny what it denies; else None."""
    if not judgement.weak or (nearest := _nearest_single(judgements)) is None:
        return None
    reason = one_sided_denial(nearest.claims, nearest.window.claims)
    return _withdrawal(nearest, (reason,), number) if reason else None


def _nearest_single(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    singles = (judgement for judgement in judgements if judgement.window.single and not judgement.is_joined)
    return next(singles, None)


def _nearest_denial(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    """The nearest single sentence if it denies the claim; its context cannot revoke that."""
    nearest = _nearest_single(judgements)
    return nearest if nearest is not None and nearest.near >= CLEARLY_NEAR and nearest.denials else None


def _nearest_affirmation(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    """A window that states what the sentence denies, unless another window about as near denies it too."""
    near = _nearest_group(judgements)
    if any(judgement.denies for judgement in near):
        return None
    return next((judgement for judgement in near if NOT_DENIED in judgement.contradictions), None)


def _most_favourable(judgements: Sequence[SupportJudgement]) -> SupportJudgement:
    """The nearest judgement with the least evidence against the sentence, among those about the same thing."""
    near = _nearest_group(judgements)
    singles = [judgement for judgement in near if judgement.window.single and judgement.near >= SAME_SENTENCE]
    judgements_unopposed = (
        judgement for judgement in singles or near if not (judgement.contradicted or judgement.elsewhere)
    )
    return next(judgements_unopposed, None) or min(
        singles or near, key=lambda item: len(item.contradictions) + item.elsewhere
    )


def _nearest_group(judgements: Sequence[SupportJudgement]) -> list[SupportJudgement]:
    """The judgements about as near as the first one, which is the nearest."""
    return [judgement for judgement in judgements if judgement.near >= judgements[0].near - SUPPORT_MARGIN]


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """Return a verdict for each sentence, in order; citation markers in a sentence are ignored."""
    checker = Checker([WindowSource(passage) for passage in request.passages])
    return tuple(
        checker.check(without_markers(sentence)[0], number)
        for number, sentence in enumerate(request.sentences, start=1)
    )
