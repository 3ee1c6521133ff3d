"""Follow-ups that the evidence can answer: questions about sentences that the answer does not contain."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.contracts.conversation import Speaker
from libs.contracts.evidence import Reference
from libs.contracts.stages.answer import RecommendRequest
from libs.text.boundaries import is_word_character
from services.answer.lexicon.words import has_phrase, stems_of
from services.answer.question import read_question
from services.answer.question_forms import TOPIC, questions_of
from services.answer.sentences import EvidenceSentence, read_sentences

SAME_QUESTION = 0.7
"""Two questions are the same if they share this fraction of the shorter one's content stems."""
MOST_READ = 8
"""How many of the best-ranked passages are read."""
MOST_OF_ONE_DOCUMENT = 2
MOST_OF_ONE_FORM = 2
GENERAL_DISCOUNT = 0.3
"""Ranks `What is known about …?` below specific questions."""


@dataclass(frozen=True, slots=True)
class _Proposal:
    question: str
    form: str
    sentence: EvidenceSentence
    nearness: float


def recommend(request: RecommendRequest, limit: int, proposed: Sequence[str] = ()) -> tuple[str, ...]:
    """Return follow-ups, best first, without duplicates and without questions that were asked before.

    Args:
        request: the question, its evidence, the conversation and the answer.
        limit: maximum number of questions, 0 to 6.
        proposed: questions from a language model; they come first.
    """
    evidence = request.evidence[:MOST_READ]
    references = tuple(Reference(number, item) for number, item in enumerate(evidence, start=1))
    fresh = [s for s in read_sentences(references) if s.text not in request.answer]
    proposals = sorted(_proposals(request, fresh, _Names(request)), key=lambda p: -p.nearness)
    asked = [request.question, *(m.text for m in request.view.messages if m.speaker is Speaker.USER)]
    first = tuple(_unasked(proposed, asked))[:limit]
    return (*first, *_chosen(proposals, (*asked, *first), limit - len(first)))


class _Names:
    """Distinguishes names from words that are capitalised only because they begin a sentence."""

    def __init__(self, request: RecommendRequest) -> None:
        self._titles = [evidence.passage.title for evidence in request.evidence]
        self._text = " ".join(evidence.passage.text for evidence in request.evidence)
        self._known: dict[str, bool] = {}

    def is_name(self, words: str) -> bool:
        """Whether the words begin a title or occur capitalised within a sentence."""
        known = self._known.get(words)
        if known is None:
            begins = any(title.startswith(words) for title in self._titles)
            known = self._known[words] = begins or self._stands_within(words)
        return known

    def _stands_within(self, words: str) -> bool:
        """Whether a word, comma or semicolon precedes the words; avoids compiling a pattern for each name."""
        text, begun = self._text, f" {words}"
        at = text.find(begun, 1)
        while at > 0:
            before, end = text[at - 1], at + len(begun)
            if (before in ",;" or is_word_character(before)) and not is_word_character(text[end : end + 1]):
                return True
            at = text.find(begun, at + 1)
        return False


def _proposals(request: RecommendRequest, sentences: Sequence[EvidenceSentence], names: _Names) -> Iterator[_Proposal]:
    question = read_question(request.question)
    for sentence in sentences:
        named = any(has_phrase(name, f"{sentence.passage.title} {sentence.text}") for name in question.names)
        nearness = 1 / (1 + 0.1 * sentence.reference.number) + (0.5 if named else 0.0)
        for made in questions_of(sentence.text, sentence.passage.title):
            if names.is_name(made.subject):
                less = GENERAL_DISCOUNT if made.form == TOPIC else 0.0
                yield _Proposal(made.text, made.form, sentence, nearness - less)


def _unasked(proposed: Sequence[str], asked: Sequence[str]) -> Iterator[str]:
    taken = [frozenset(stems_of(question)) for question in asked]
    for question in proposed:
        stems = frozenset(stems_of(question))
        if not any(_same(stems, other) for other in taken):
            taken.append(stems)
            yield question


def _chosen(proposals: Sequence[_Proposal], asked: Sequence[str], limit: int) -> Iterator[str]:
    taken = [frozenset(stems_of(question)) for question in asked]
    documents: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    count = 0
    for proposal in proposals:
        stems = frozenset(stems_of(proposal.question))
        document = proposal.sentence.passage.document_id
        full = documents[document] >= MOST_OF_ONE_DOCUMENT or forms[proposal.form] >= MOST_OF_ONE_FORM
        if count >= limit or full or any(_same(stems, other) for other in taken):
            continue
        taken.append(stems)
        documents[document] += 1
        forms[proposal.form] += 1
        count += 1
        yield proposal.question


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME_QUESTION * max(1, min(len(one), len(other)))
