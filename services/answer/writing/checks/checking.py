"""Verifies a language model's text against the passages in its prompt, sentence by sentence.

The claim check covers numbers, dates, names, denials and the share of supported words. A short sentence that names the
subject and adds something new (`The harbour has sunk`) shares most of its words with any passage about that subject.
So the words that it adds to the question must be in the passages too. `check` works in a thread; nothing else blocks.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Reference, Section
from libs.contracts.stages.answer import WriteRequest
from libs.language.detection import reading_language
from libs.language.topics.questions import QuestionForms
from libs.runtime.threads import in_thread
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from services.answer.answer_language import answer_language, question_language
from services.answer.citations import withdrawn
from services.answer.evidence_sanitizer import sanitize_citation
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of
from services.answer.locations import with_headings_in_title
from services.answer.subquestions import sub_questions
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource, plain, read_passage
from services.answer.writing.checks.clauses import stands_apart
from services.answer.writing.checks.code import check_code, check_row, reported_quote
from services.answer.writing.checks.dependent_sentences import depends_on_next, judge_by_next
from services.answer.writing.checks.headed_passages import below_heading, within
from services.answer.writing.checks.nearest_sentence import replaced
from services.answer.writing.pieces import SentenceEnds

ENOUGH_TOLD = 3
"""With this many new words in the passages, the claim check suffices; it fails on short sentences only. This rule
rejects 8 % of the sentences in the reference answers of MTRAG, a benchmark, most of them about the documents."""


def unsupported_words(
    sentence: str, question_stems: frozenset[str], passage_stems: Iterable[frozenset[str]], language: str
) -> tuple[str, ...]:
    """Return the words that no passage has if they are half of a short sentence's new words; else an empty tuple.

    A number or date is a sufficient anchor: whether it is correct is checked elsewhere.

    Args:
        sentence: without markers.
        question_stems: the stems of the question and of the passages' subject.
        passage_stems: the stems of each passage; iteration stops once all words are found.
        language: of the sentence and the passages, ISO 639-1.
    """
    if find_numbers(sentence, language) or find_dates(sentence, language=language):
        return ()
    news = [stem for stem in dict.fromkeys(stems_of(sentence, language)) if stem not in question_stems]
    missing = news
    for stems in passage_stems:
        missing = [stem for stem in missing if stem not in stems and not has_related(stem, stems, language)]
        if not missing:
            return ()
    known_count = len(news) - len(missing)
    return tuple(missing) if known_count < min(ENOUGH_TOLD, len(missing) + 1) else ()


def stems_in(texts: Iterable[str], language: str) -> frozenset[str]:
    """Return all stems of some texts."""
    return frozenset(stem for text in texts for stem in stems_of(text, language))


_MAX_NAMED = 3  # words that a reason names (taste)
_REPORTED = "The source has what it quotes; the words around the quotation are its own."


class SentenceChecks:
    """Compares sentences with the passages that they cite, then with all others.

    Args:
        request: with the question.
        references: the ones chosen for the model (a small budget may drop some), with instructions removed
            (`services.answer.evidence_sanitizer`).
    """

    def __init__(self, request: WriteRequest, references: Sequence[Reference]) -> None:
        self._answer_language = answer_language(request)
        self._question, self._references = request.question, references
        language = question_language(request.question, [reference.evidence.passage for reference in references])
        forms = QuestionForms.of(language)
        self._question_stems = stems_in((*_question_texts(request), *forms.answering), language)
        self._may_repeat = bool(forms.yes_no.match(request.question))
        """The answer to a yes-no question may consist of its words."""
        self._sources = {r.number: WindowSource(below_heading(r.evidence.passage), r.number) for r in references}
        self._passages = {r.evidence.passage.passage_id: r.evidence.passage for r in references}
        sections = defaultdict[Section, list[int]](list)
        for reference in references:
            sections[reference.evidence.passage.section].append(reference.number)
        self._section_numbers = {number: numbers for numbers in sections.values() for number in numbers}
        """The numbers of all passages of a passage's section, which the prompt shows as one item."""
        self._checkers: dict[tuple[int, ...], Checker] = {}

    def depends_on_next(self, sentence: str) -> bool:
        """Whether a sentence is judged with the next one."""
        return depends_on_next(sentence, self._question_stems, self._language_of(sentence))

    def judge_by_next(self, number: int, sentence: str, ground: str, citation: Citation) -> Citation:
        """Return the verdict on such a sentence; `citation` is that of the next sentence, which was not withdrawn."""
        return judge_by_next(number, sentence, self._question, ground, citation, self._language_of(ground))

    async def check(self, sentence: SentenceEnds, number: int) -> Citation:
        """Return the verdict, with the references that support the sentence; runs off the event loop."""
        return await in_thread(self._check, sentence, number)

    async def replace(self, citation: Citation, sentence: SentenceEnds, quoted: Sequence[CitedSpan]) -> Citation:
        """Return a withdrawal with the nearest sentence of the passages instead, unless that is `quoted` already."""
        if citation.verdict is not Verdict.WITHDRAWN or not sentence.is_prose:
            return citation
        sources = [WindowSource(with_headings_in_title(r.evidence.passage), r.number) for r in self._references]
        sources.sort(key=lambda source: source.number not in sentence.numbers)
        return await in_thread(replaced, citation, sentence.text, sources, quoted)

    def _check(self, sentence: SentenceEnds, number: int) -> Citation:
        if sentence.code:
            return check_code(number, sentence.text.split("\n")[1:-1], self._references)
        if sentence.row:
            cited_first = sorted(self._references, key=lambda reference: reference.number not in sentence.numbers)
            return check_row(number, sentence.text, cited_first)
        cited = (self._section_numbers.get(cited_number, (cited_number,)) for cited_number in sentence.numbers)
        sentence = replace(sentence, numbers=tuple(chain.from_iterable(cited)))
        citation = self._sentence_citation(sentence, number)
        if citation.verdict is Verdict.VERIFIED and not _is_quoted(sentence.text, citation):
            citation = self._clause_by_clause(sentence, citation)
        spans = tuple(within(self._passages, span) for span in citation.references)
        citation = replace(citation, references=spans)
        return sanitize_citation(citation, sentence.text, self._language_of(sentence.text))

    def _language_of(self, sentence: str) -> str:
        """The sentence's language; a short sentence is in that of the answer."""
        return reading_language(sentence, self._answer_language)

    def _clause_by_clause(self, sentence: SentenceEnds, citation: Citation) -> Citation:
        """Downgrade the verdict to weak if a clause combines facts from different source sentences."""
        numbers = {*sentence.numbers, *(span.number for span in citation.references)}
        language = self._language_of(sentence.text)
        sources = [source for number, source in self._sources.items() if number in numbers]
        passages = [source.passage for source in sources if source.language == language]
        clause = stands_apart(sentence.text, passages, language) if passages else None
        if clause is None:
            return citation
        reason = f"The source has its words, but no single sentence says “{clause.strip(' ,;')}”."
        return replace(citation, verdict=Verdict.WEAK, reason=reason)

    def _sentence_citation(self, sentence: SentenceEnds, number: int) -> Citation:
        """The verdict on the sentence, or on its quotation if it only reports one."""
        citation = self._compare(sentence, number)
        quotation = (
            reported_quote(sentence.text, self._language_of(sentence.text))
            if citation.verdict is Verdict.WITHDRAWN
            else None
        )
        if quotation is None:
            return citation
        quote_citation = self._compare(replace(sentence, text=quotation), number)
        if quote_citation.verdict is Verdict.WITHDRAWN:
            return quote_citation
        return replace(quote_citation, verdict=Verdict.WEAK, reason=_REPORTED)

    def _compare(self, sentence: SentenceEnds, number: int) -> Citation:
        language = self._language_of(sentence.text)
        if not self._may_repeat and self._question_stems.issuperset(stems_of(sentence.text, language)):
            return withdrawn(number, "It says no more than the question.")
        if words := self._unsupported_words(sentence, language):
            return withdrawn(number, f"No passage says anything of “{'”, “'.join(words[:_MAX_NAMED])}”.")
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

    def _unsupported_words(self, sentence: SentenceEnds, language: str) -> tuple[str, ...]:
        """The words that no passage has; none if no passage is in the sentence's language."""
        sources = [each for each in self._sources.values() if each.language == language]
        if self._sources and not sources:
            return ()
        sources.sort(key=lambda source: source.number not in sentence.numbers)
        return unsupported_words(sentence.text, self._question_stems, _stems_by_passage(sources), language)


def _stems_by_passage(sources: Iterable[WindowSource]) -> Iterator[frozenset[str]]:
    """The stems of each passage and of its title."""
    for source in sources:
        passage = read_passage(source.passage.title, source.passage.text, source.language)
        yield passage.stems
        yield passage.title_stems


def _is_quoted(sentence: str, citation: Citation) -> bool:
    words = plain(sentence)
    return any(plain(span.quote) == words for span in citation.references)


def _question_texts(request: WriteRequest) -> Sequence[str]:
    """The words that a sentence must go beyond to say anything new."""
    return [request.question, *(sub_question.text for sub_question in sub_questions(request))]
