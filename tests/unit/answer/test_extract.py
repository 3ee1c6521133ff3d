"""Short answers."""

import pytest

from services.answer.extract import extract_answer
from services.answer.requests import ExtractRequest
from services.answer.steps import ExtractResponse
from tests.unit.answer.sample_search import sample_index


def extract(question: str) -> ExtractResponse:
    evidence = tuple(reference.evidence for reference in sample_index().search(question, 15))
    return extract_answer(ExtractRequest(question, evidence), 0.5)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which craft first orbited Mars", "Mariner 9"),
        ("Which rocket launched Curiosity?", "Atlas V"),
        ("Which rover landed in the crater Jezero?", "Perseverance"),
        ("What was the first spacecraft to land on Venus?", "Venera 7"),
        ("Who was the last astronaut to walk on the Moon?", "Eugene Cernan"),
        ("who founded India's space programme", "Vikram Sarabhai"),
        ("When did Mariner 9 enter orbit round Mars?", "14 November 1971"),
        ("How many pictures did Mariner 9 return?", "7,329 pictures"),
        ("How heavy was Lunokhod 1?", "756 kilograms"),
        ("Where did Chang'e 4 land?", "Von Kármán"),
    ],
)
def test_a_short_answer_is_a_name_a_date_or_a_number(question: str, answer: str) -> None:
    found = extract(question)
    assert found.answer == answer
    assert found.source is not None
    assert found.source.quote == answer
    assert 0.5 < found.confidence <= 1


def test_a_short_answer_stands_where_it_says() -> None:
    found = extract("When was Venera 7 launched?")
    assert found.source is not None
    texts = {p.passage_id: p.text for p in sample_index().passages}
    assert found.source.span.of(texts[found.source.passage_id]) == "17 August 1970"


def test_other_questions_get_the_phrase_after_their_words_less_surely() -> None:
    found = extract("What did Cassini discover at Enceladus?")
    assert found.answer is not None
    assert found.answer.startswith("fountains of ice and vapour")
    assert found.confidence < 0.5


@pytest.mark.parametrize("question", ["What is the best recipe for sourdough bread?", "When did Apollo 25 land?"])
def test_where_the_evidence_holds_none_there_is_none(question: str) -> None:
    assert extract(question) == ExtractResponse()


def test_without_evidence_there_is_none() -> None:
    assert extract_answer(ExtractRequest("When?"), 0.5) == ExtractResponse()
