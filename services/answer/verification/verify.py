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
from collections.abc import Sequence
from heapq import nsmallest
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.contracts.stages.answer import VerifyRequest
from libs.language.topics.clauses import Remarks
from libs.runtime.threads import raise_if_cancelled
from services.answer.citing.citations import without_markers
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims, read_claims
from services.answer.verification.judging import SupportJudgement
from services.answer.verification.windows import SourceMaterial, WindowSource

_LIST_MARK: Final = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
MAX_FIGURES: Final = 60
"""Maximum numbers and dates of a sentence; each is compared with all those of a source."""


def without_list_marks(sentence: str, language: str) -> str:
    """Return the sentence without a list marker and without a leading `Yes,`."""
    return Remarks.of(language).lead.sub("", _LIST_MARK.sub("", sentence)) or sentence


def beyond_comparison(claims: Claims) -> str | None:
    """Return why a sentence cannot be compared with passages; None if it can.

    It makes no claim, lacks information, or has so many numbers and dates that it is a table.
    """
    if len(claims.quantities) + len(claims.dates) > MAX_FIGURES:
        return "It has too many numbers to be compared with the passages."
    remarks = Remarks.of(claims.language)
    if not claims.stems.difference(stems_of(" ".join(remarks.fillers), claims.language)):
        return "It says nothing that could be compared with the passages."
    return "It tells what the passages don't say." if remarks.silence.search(claims.text) else None


WEAK_SUPPORT = 0.21
"""Support from which a sentence that nothing contradicts is weak; below it is withdrawn."""
CONTRADICTED_SCORE = 0.2
"""Upper bound for the score of a contradicted sentence."""
SUPPORT_MARGIN = 0.2
"""A window whose support is lower than the nearest one's by more than this cannot clear a contradiction found there."""
CLEARLY_NEAR = 0.5
"""With this much support, a sentence is about the same thing: a denial in it is final."""
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
        if reason := beyond_comparison(read_claims(text, language)):
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
            self._material.windows,
            key=lambda window: (-len(claims[window.language].stems & window.stems), window.length),
        )
        judgements = [SupportJudgement(claims[window.language], window, self._material) for window in nearest]
        return sorted(judgements, key=lambda judgement: -judgement.near)


def _citation(judgement: SupportJudgement, number: int) -> Citation:
    """The verdict according to the chosen window."""
    references = (judgement.window.cited_span,)
    support = judgement.support
    if judgement.contradictions:
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


def _nearest_single(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    singles = (judgement for judgement in judgements if judgement.window.single)
    return next(singles, None)


def _nearest_denial(judgements: Sequence[SupportJudgement]) -> SupportJudgement | None:
    """The nearest single sentence if it denies the claim; its context cannot revoke that."""
    nearest = _nearest_single(judgements)
    return nearest if nearest is not None and nearest.near >= CLEARLY_NEAR and nearest.denials else None


def _most_favourable(judgements: Sequence[SupportJudgement]) -> SupportJudgement:
    """The nearest judgement with the least evidence against the sentence, of those about as near as the first one."""
    near = [judgement for judgement in judgements if judgement.near >= judgements[0].near - SUPPORT_MARGIN]
    unopposed = (judgement for judgement in near if not judgement.contradictions)
    return next(unopposed, None) or min(near, key=lambda judgement: len(judgement.contradictions))


def verify(request: VerifyRequest) -> tuple[Citation, ...]:
    """Return a verdict for each sentence, in order; citation markers in a sentence are ignored."""
    checker = Checker([WindowSource(passage) for passage in request.passages])
    return tuple(
        checker.check(without_markers(sentence)[0], number)
        for number, sentence in enumerate(request.sentences, start=1)
    )
