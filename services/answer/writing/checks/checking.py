"""Verifies a language model's text against the passages in its prompt, sentence by sentence.

The claim check covers numbers, dates, names, denials and the share of supported words. A short sentence that names the
subject and adds something new (`The harbour has sunk`) shares most of its words with any passage about that subject.
So the words that it adds to the question must be in the passages too. `check` works in a thread; nothing else blocks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Reference
from libs.contracts.stages.answer import WriteRequest
from libs.language.detection import reading_language
from libs.language.topics.questions import QuestionForms
from libs.runtime.threads import in_thread
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from services.answer.answer_language import answer_language, question_language
from services.answer.citing.citations import withdrawn
from services.answer.citing.locations import below_heading, with_headings_in_title, within
from services.answer.evidence_sanitizer import sanitize_citation
from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of
from services.answer.subquestions import sub_questions
from services.answer.verification.verify import Checker
from services.answer.verification.windows import WindowSource, plain
from services.answer.writing.checks.clauses import stands_apart
from services.answer.writing.checks.dependent_sentences import depends_on_next, judge_by_next
from services.answer.writing.checks.verbatim import check_verbatim, replaced
from services.answer.writing.pieces import Kind, SentenceEnds

ENOUGH_TOLD = 3
"""With this many new words in the passages, the claim check suffices; it fails on short sentences only. This rule
rejects 8 % of the sentences in the reference answers of MTRAG, a benchmark, most of them about the documents; without
it 16 of the 56 instructions in documents that a model obeys (`tests/system/test_injections.py`) change its verdicts."""
_MAX_NAMED = 3  # words that a reason names (taste)


def unsupported_words(
    sentence: str, question_stems: frozenset[str], passage_stems: Iterable[frozenset[str]], language: str
) -> tuple[str, ...]:
    """Return the words that no passage has if they are half of a short sentence's new words; else an empty tuple.

    The passages' stems are read only until all words are found. A number or date is a sufficient anchor: whether it is
    correct is checked elsewhere.
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


class SentenceChecks:
    """Compares sentences with the passages that they cite, then with all others: the sanitized ones in the prompt."""

    def __init__(self, request: WriteRequest, references: Sequence[Reference]) -> None:
        self._answer_language = answer_language(request)
        self._question, self._references = request.question, references
        self._passages = {r.evidence.passage.passage_id: r.evidence.passage for r in references}
        language = question_language(request.question, self._passages.values())
        forms = QuestionForms.of(language)
        questions = (request.question, *(sub_question.text for sub_question in sub_questions(request)))
        texts = (*questions, *forms.answering)
        self._question_stems = frozenset(stem for text in texts for stem in stems_of(text, language))
        """The words that a sentence must go beyond to say anything new."""
        self._may_repeat = bool(forms.yes_no.match(request.question))
        """The answer to a yes-no question may consist of its words."""
        self._sources = {r.number: WindowSource(below_heading(r.evidence.passage), r.number) for r in references}
        self._checkers: dict[tuple[int, ...], Checker] = {}

    def depends_on_next(self, sentence: SentenceEnds) -> bool:
        """Whether a sentence is judged with the next one."""
        if sentence.kind is Kind.PROSE:
            return depends_on_next(sentence.text, self._question_stems, self._language_of(sentence.text))
        return sentence.kind is Kind.HEAD

    def judge_by_next(self, number: int, sentence: SentenceEnds, ground: str, citation: Citation) -> Citation:
        """Return the verdict on such a sentence; `citation` is that of the next sentence, which was not withdrawn."""
        return judge_by_next(number, sentence.text, self._question, ground, citation, self._language_of(ground))

    async def check(self, sentence: SentenceEnds, number: int, quoted: Sequence[CitedSpan]) -> Citation:
        """Return the verdict, off the event loop; a withdrawn sentence is replaced by the nearest one of the passages.

        What the answer cites already (`quoted`) replaces nothing. `number` is the sentence's position, from 1.
        """
        return await in_thread(self._check, sentence, number, quoted)

    def _check(self, sentence: SentenceEnds, number: int, quoted: Sequence[CitedSpan]) -> Citation:
        citation = self.judge(sentence, number)
        is_withdrawn = citation.verdict is Verdict.WITHDRAWN and sentence.kind is Kind.PROSE
        if not is_withdrawn or self._repeats_question(sentence.text, self._language_of(sentence.text)):
            return citation
        sources = [
            WindowSource(with_headings_in_title(reference.evidence.passage), reference.number)
            for reference in self._cited_first(sentence)
        ]
        return replaced(citation, sentence.text, sources, quoted)

    def judge(self, sentence: SentenceEnds, number: int) -> Citation:
        """Return the verdict, with the references that support the sentence."""
        if sentence.kind is not Kind.PROSE:
            return check_verbatim(number, sentence, self._cited_first(sentence))
        sentence = replace(sentence, numbers=tuple(each for each in sentence.numbers if each in self._sources))
        language = self._language_of(sentence.text)
        citation = self._compare(sentence, number, language)
        if citation.verdict is Verdict.VERIFIED:
            citation = self._clause_by_clause(sentence, citation, language)
        spans = tuple(within(self._passages[span.passage_id], span) for span in citation.references)
        return sanitize_citation(replace(citation, references=spans))

    def _language_of(self, sentence: str) -> str:
        """The sentence's language; a short sentence is in that of the answer."""
        return reading_language(sentence, self._answer_language)

    def _cited_first(self, sentence: SentenceEnds) -> Sequence[Reference]:
        return sorted(self._references, key=lambda reference: reference.number not in sentence.numbers)

    def _clause_by_clause(self, sentence: SentenceEnds, citation: Citation, language: str) -> Citation:
        """Downgrade the verdict to weak if a clause combines facts from different source sentences."""
        if plain(sentence.text) in (plain(span.quote) for span in citation.references):
            return citation
        numbers = {*sentence.numbers, *(span.number for span in citation.references)}
        sources = [self._sources[number] for number in sorted(numbers)]
        passages = [source.passage for source in sources if source.language == language]
        clause = stands_apart(sentence.text, passages, language) if passages else None
        if clause is None:
            return citation
        reason = f"The source has its words, but no single sentence says “{clause.strip(' ,;')}”."
        return replace(citation, verdict=Verdict.WEAK, reason=reason)

    def _compare(self, sentence: SentenceEnds, number: int, language: str) -> Citation:
        if not self._may_repeat and self._repeats_question(sentence.text, language):
            return withdrawn(number, "It says no more than the question.")
        if words := self._unsupported_words(sentence, language):
            return withdrawn(number, f"No passage says anything of “{'”, “'.join(words[:_MAX_NAMED])}”.")
        if sentence.numbers:
            citation = self._checker(sentence.numbers).check(sentence.text, number)
            if citation.verdict is not Verdict.WITHDRAWN and citation.references:
                return citation
        citation = self._checker(tuple(self._sources)).check(sentence.text, number)
        is_verified = citation.verdict is Verdict.VERIFIED
        return citation if is_verified else replace(citation, verdict=Verdict.WITHDRAWN, replacement="")

    def _repeats_question(self, sentence: str, language: str) -> bool:
        return self._question_stems.issuperset(stems_of(sentence, language))

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
        stems = chain.from_iterable((each.parsed.stems, each.parsed.title_stems) for each in sources)
        return unsupported_words(sentence.text, self._question_stems, stems, language)
