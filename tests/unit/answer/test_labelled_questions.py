"""Quality over the sample corpus: sixty labelled questions, a simple search in the place of retrieval."""

import pytest

from services.answer.requests import Length, WriteRequest
from services.answer.writing.extractive import draft_answer
from services.vocabulary.evidence import Reference
from tests.unit.answer.labelled_questions import ANSWERABLE, UNANSWERABLE
from tests.unit.answer.sample_search import sample_index

THRESHOLD = 0.5
LEAST_RIGHT = 0.85
MOST_WRONGLY_ANSWERED = 0.1


def draft_of(question: str) -> tuple[tuple[Reference, ...], list[str], bool]:
    """The references, the answer's sentences, whether it abstained."""
    references = sample_index().search(question, 30)
    draft = draft_answer(WriteRequest(question, references=references), Length.MEDIUM, THRESHOLD)
    return references, [sentence.text for paragraph in draft.paragraphs for sentence in paragraph], draft.abstained


def test_the_first_two_sentences_hold_the_answer() -> None:
    wrong = [q for q, _, words in ANSWERABLE if not any(words in text for text in draft_of(q)[1][:2])]
    assert 1 - len(wrong) / len(ANSWERABLE) >= LEAST_RIGHT, wrong


def test_the_answers_document_is_cited() -> None:
    wrong = []
    for question, document, words in ANSWERABLE:
        _, sentences, _ = draft_of(question)
        if any(words in text for text in sentences):
            found = {r.evidence.passage.document_id for r in sample_index().search(question, 30)}
            wrong += [question] if document not in found else []
    assert wrong == []


def test_answerable_questions_are_answered() -> None:
    assert [question for question, _, _ in ANSWERABLE if draft_of(question)[2]] == []


def test_unanswerable_questions_are_not() -> None:
    answered = [question for question in UNANSWERABLE if not draft_of(question)[2]]
    assert len(answered) / len(UNANSWERABLE) <= MOST_WRONGLY_ANSWERED, answered


@pytest.mark.parametrize(
    "question",
    [
        "What is the best recipe for sourdough bread?",
        "When did the Mars One crew land?",
        "How many moons does the exoplanet Kepler-22b have?",
    ],
)
def test_what_the_corpus_cannot_know_is_never_answered(question: str) -> None:
    assert draft_of(question)[2]
