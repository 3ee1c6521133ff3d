"""Verifies a language model's text against the passages in its prompt, sentence by sentence."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Reference
from libs.contracts.stages.answer import WriteRequest
from services.answer.evidence_sanitizer import sanitize_citation
from services.answer.lexicon.words import stems_of
from services.answer.places import with_headings_in_title
from services.answer.subquestions import sub_questions
from services.answer.verification.verify import Checker
from services.answer.verification.windows import Source, plain, read_passage
from services.answer.writing.clauses import stands_apart
from services.answer.writing.code import check_code
from services.answer.writing.leaning import judge_by_next, leans_on_next
from services.answer.writing.news import stems_in, unsupported_words
from services.answer.writing.pieces import SentenceEnds
from services.answer.writing.reported import reported_quote

_YES_OR_NO = re.compile(
    r"\W*(?:(?:and|but|so|or)\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
"""The answer to such a question may consist of its words."""
_MOST_NAMED = 3
_REPORTED = "What it quotes is borne out; the words around it are its own."


class SentenceChecks:
    """Compares sentences with the passages that they cite, then with all others.

    Args:
        request: with the question.
        references: the ones chosen for the model (a small budget may drop some), with instructions removed
            (`services.answer.evidence_sanitizer`).
    """

    def __init__(self, request: WriteRequest, references: Sequence[Reference]) -> None:
        self._question_stems = stems_in(_question_texts(request))
        self._question, self._references = request.question, references
        self._may_repeat = bool(_YES_OR_NO.match(request.question))
        self._sources = {r.number: Source(with_headings_in_title(r.evidence.passage), r.number) for r in references}
        self._checkers: dict[tuple[int, ...], Checker] = {}

    def leans_on_next(self, sentence: str) -> bool:
        """Whether a sentence is judged with the next one."""
        return leans_on_next(sentence, self._question_stems)

    def judge_by_next(self, number: int, sentence: str, ground: str, citation: Citation) -> Citation:
        """Return the verdict on such a sentence; `citation` is that of the next sentence, which was not withdrawn."""
        return judge_by_next(number, sentence, self._question, ground, citation)

    async def check(self, sentence: SentenceEnds, number: int) -> Citation:
        """Return the verdict, with the references that support the sentence; runs off the event loop."""
        return await asyncio.to_thread(self._check, sentence, number)

    def _check(self, sentence: SentenceEnds, number: int) -> Citation:
        if sentence.code:
            return check_code(number, sentence.text.split("\n")[1:-1], self._references)
        citation = self._sentence_citation(sentence, number)
        if citation.verdict is Verdict.VERIFIED and not _is_quoted(sentence.text, citation):
            citation = self._clause_by_clause(sentence, citation)
        return sanitize_citation(citation, sentence.text)

    def _clause_by_clause(self, sentence: SentenceEnds, citation: Citation) -> Citation:
        """Downgrade the verdict to weak if a clause combines facts from different source sentences."""
        numbers = {*sentence.numbers, *(span.number for span in citation.references)}
        passages = [source.passage for number, source in self._sources.items() if number in numbers]
        clause = stands_apart(sentence.text, passages)
        if clause is None:
            return citation
        reason = f"Its words are borne out, but no single sentence says “{clause.strip(' ,;')}”."
        return replace(citation, verdict=Verdict.WEAK, reason=reason)

    def _sentence_citation(self, sentence: SentenceEnds, number: int) -> Citation:
        """The verdict on the sentence, or on its quotation if it only reports one."""
        citation = self._compare(sentence, number)
        quotation = reported_quote(sentence.text) if citation.verdict is Verdict.WITHDRAWN else None
        if quotation is None:
            return citation
        quote_citation = self._compare(replace(sentence, text=quotation), number)
        if quote_citation.verdict is Verdict.WITHDRAWN:
            return quote_citation
        return replace(
            quote_citation, verdict=Verdict.WEAK, reason="What it quotes is borne out; the words around it are its own."
        )

    def _compare(self, sentence: SentenceEnds, number: int) -> Citation:
        if not self._may_repeat and self._question_stems.issuperset(stems_of(sentence.text)):
            return _withdrawal(number, "It says no more than the question.")
        if unsupported := unsupported_words(
            sentence.text, self._question_stems, self._stems_by_passage(sentence.numbers)
        ):
            return _withdrawal(number, f"No passage says anything of “{'”, “'.join(unsupported[:_MOST_NAMED])}”.")
        if cited_numbers := tuple(n for n in sentence.numbers if n in self._sources):
            citation = self._checker(cited_numbers).check(sentence.text, number)
            if citation.verdict is not Verdict.WITHDRAWN and citation.references:
                return citation
        other_citation = self._checker(tuple(self._sources)).check(sentence.text, number)
        if other_citation.verdict is not Verdict.VERIFIED:
            return replace(other_citation, verdict=Verdict.WITHDRAWN, replacement="")
        reason = (
            "It cites no passage that bears it out, but another one does."
            if sentence.numbers
            else other_citation.reason
        )
        return replace(other_citation, reason=reason)

    def _checker(self, numbers: tuple[int, ...]) -> Checker:
        """The cached checker for some of the sources; an answer's sentences often cite the same ones."""
        if numbers not in self._checkers:
            self._checkers[numbers] = Checker([self._sources[number] for number in numbers])
        return self._checkers[numbers]

    def _stems_by_passage(self, cited_numbers: Sequence[int]) -> Iterator[frozenset[str]]:
        """The stems of each passage and of its title; cited ones come first because most sentences need no others."""
        for source in sorted(self._sources.values(), key=lambda source: source.number not in cited_numbers):
            passage = read_passage(source.passage.title, source.passage.text)
            yield passage.stems
            yield passage.title_stems


def _is_quoted(sentence: str, citation: Citation) -> bool:
    words = plain(sentence)
    return any(plain(span.quote) == words for span in citation.references)


def _withdrawal(number: int, reason: str) -> Citation:
    return Citation(number, (), Verdict.WITHDRAWN, 0.0, reason, replacement="")


def _question_texts(request: WriteRequest) -> Sequence[str]:
    """The words that a sentence must go beyond to say anything new."""
    return [request.question, *(sub_question.text for sub_question in sub_questions(request)), "question answer"]
