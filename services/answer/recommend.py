"""Follow-ups that the evidence can answer: questions about sentences that the answer does not contain. Pure.

They name what the question names, if the evidence tells more of it: after `Apollo 11`, none asks about `Apollo 17`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from libs.contracts.conversation import Speaker
from libs.contracts.evidence import Reference
from libs.contracts.stages.answer import RecommendRequest
from libs.contracts.understanding import RelatedEvent
from libs.language.topics.clauses import StatementForms
from libs.language.topics.questions import QuestionTimes
from services.answer.answer_language import question_language
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.question import read_question
from services.answer.question_forms import TOPIC, questions_of
from services.answer.sentences import EvidenceSentence, read_sentences

SAME_QUESTION = 0.7
"""Two questions are the same if they share this fraction of the shorter one's content stems (by hand)."""
MAX_READ = 8
"""How many of the best-ranked passages are read (taste)."""
MAX_OF_ONE_DOCUMENT = 2  # questions about it (taste)
MAX_OF_ONE_FORM = 2  # such as `When was …?` (taste)
BEFORE_BESIDE = 2
"""How many questions come before the one about what happened beside the event (taste)."""
GENERAL_DISCOUNT = 0.3
"""Ranks `What is known about …?` below specific questions (by hand)."""


@dataclass(frozen=True, slots=True)
class _Proposal:
    question: str
    form: str
    sentence: EvidenceSentence
    nearness: float


def recommend(request: RecommendRequest, limit: int, suggestions: Sequence[str] = ()) -> tuple[str, ...]:
    """Return follow-ups, best first, without duplicates and without questions that were asked before.

    Args:
        request: the question, its evidence, the conversation and the answer.
        limit: maximum number of questions, 0 to 6.
        suggestions: questions from a language model; they come first.
    """
    evidence = request.evidence[:MAX_READ]
    references = tuple(Reference(number, item) for number, item in enumerate(evidence, start=1))
    sentences = [sentence for sentence in read_sentences(references) if sentence.text not in request.answer]
    language = question_language(request.question, [item.passage for item in evidence])
    question = read_question(request.question, language)
    proposals = sorted(_proposals(sentences, _Names(request)), key=lambda proposal: -proposal.nearness)
    about = [each for each in proposals if any(has_phrase(name, each.question) for name in question.names)]
    earlier_questions = [
        request.question,
        *(message.text for message in request.view.messages if message.speaker is Speaker.USER),
    ]
    new_suggestions = tuple(_new_questions(suggestions, earlier_questions, language))[:limit]
    known, count = (*earlier_questions, *new_suggestions), limit - len(new_suggestions)
    others = tuple(_choose(about, known, count, language)) or _choose(proposals, known, count, language)
    questions = [*new_suggestions, *others]
    beside = _new_questions(_beside(request.related_event, language), (*earlier_questions, *questions), language)
    return (*questions[:BEFORE_BESIDE], *beside, *questions[BEFORE_BESIDE:])[:limit]


def _beside(event: RelatedEvent | None, language: str) -> Iterator[str]:
    """Yield a question about what happened beside an event whose date is known: `What else happened in July 1969?`."""
    template = StatementForms.of(language).questions.get("beside")
    if template and event and (date := event.date):
        words = QuestionTimes.of(language)
        month = words.month_names[date.month - 1] if 1 <= date.month <= 12 else ""
        month_of_year = words.ranges["month"].format(month=month, year=date.year)
        time = words.ranges["in_month" if month else "in_year"].format(month=month_of_year, year=date.year)
        yield template.format(time=time)


class _Names:
    """Distinguishes names from words that are capitalised only because they begin a sentence."""

    def __init__(self, request: RecommendRequest) -> None:
        self._titles = [evidence.passage.title for evidence in request.evidence]
        self._text = " ".join(evidence.passage.text for evidence in request.evidence)
        self._cache: dict[str, bool] = {}

    def is_name(self, words: str) -> bool:
        """Whether the words begin a title or occur capitalised within a sentence."""
        result = self._cache.get(words)
        if result is None:
            begins = any(title.startswith(words) for title in self._titles)
            result = self._cache[words] = begins or self._stands_within(words)
        return result

    def _stands_within(self, words: str) -> bool:
        """Whether a word, comma or semicolon precedes the words; avoids compiling a pattern for each name."""
        text, phrase = self._text, f" {words}"
        position = text.find(phrase, 1)
        while position > 0:
            before, end = text[position - 1], position + len(phrase)
            if (before in ",;" or before.isalnum()) and not text[end : end + 1].isalnum():
                return True
            position = text.find(phrase, position + 1)
        return False


def _proposals(sentences: Sequence[EvidenceSentence], names: _Names) -> Iterator[_Proposal]:
    for sentence in sentences:
        nearness = 1 / (1 + 0.1 * sentence.reference.number)  # by hand
        for candidate in questions_of(sentence.text, sentence.passage.title, sentence.language):
            if names.is_name(candidate.subject):
                discount = GENERAL_DISCOUNT if candidate.form == TOPIC else 0.0
                yield _Proposal(candidate.text, candidate.form, sentence, nearness - discount)


def _new_questions(suggestions: Iterable[str], earlier_questions: Sequence[str], language: str) -> Iterator[str]:
    question_stems = [frozenset(stems_of(question, language)) for question in earlier_questions]
    for question in suggestions:
        stems = frozenset(stems_of(question, language))
        if not any(_is_same_question(stems, other) for other in question_stems):
            question_stems.append(stems)
            yield question


def _choose(
    proposals: Sequence[_Proposal], earlier_questions: Sequence[str], limit: int, language: str
) -> Iterator[str]:
    question_stems = [frozenset(stems_of(question, language)) for question in earlier_questions]
    documents: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    count = 0
    for proposal in proposals:
        stems = frozenset(stems_of(proposal.question, language))
        document = proposal.sentence.passage.document_id
        is_full = documents[document] >= MAX_OF_ONE_DOCUMENT or forms[proposal.form] >= MAX_OF_ONE_FORM
        if count >= limit or is_full or any(_is_same_question(stems, other) for other in question_stems):
            continue
        question_stems.append(stems)
        documents[document] += 1
        forms[proposal.form] += 1
        count += 1
        yield proposal.question


def _is_same_question(stems: frozenset[str], other: frozenset[str]) -> bool:
    return len(stems & other) >= SAME_QUESTION * max(1, min(len(stems), len(other)))
