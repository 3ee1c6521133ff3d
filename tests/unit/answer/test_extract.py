"""Short answers."""

import pytest

from bench.sample_search import sample_index
from libs.contracts.stages.answer import ExtractRequest, ExtractResponse
from services.answer.questions.extract import extract_answer
from tests.unit.answer.evidence_making import reference


def extract(question: str) -> ExtractResponse:
    evidence = tuple(reference.evidence for reference in sample_index().search(question, 15))
    return extract_answer(ExtractRequest(question, evidence))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which rocket launched Curiosity?", "Atlas V"),
        ("Which rover landed in the crater Jezero?", "Perseverance"),
        ("What was the first spacecraft to land on Venus?", "Venera 7"),
        ("Who was the last astronaut to walk on the Moon?", "Eugene Cernan"),
        ("who founded India's space programme", "Vikram Sarabhai"),
        ("When did Mariner 9 enter orbit round Mars?", "14 November 1971"),
        ("How many pictures did Mariner 9 return?", "7,329"),
        ("How heavy was Lunokhod 1?", "756 kilograms"),
        ("Where did Chang'e 4 land?", "Von Kármán"),
    ],
)
def test_a_short_answer_is_a_name_a_date_or_a_number(question: str, answer: str) -> None:
    response = extract(question)
    assert response.answer == answer
    assert response.source is not None
    assert response.source.quote == answer
    assert 0.5 < response.confidence <= 1


def test_a_short_answer_stands_where_it_says() -> None:
    response = extract("When was Venera 7 launched?")
    assert response.source is not None
    texts = {p.passage_id: p.text for p in sample_index().passages}
    assert response.source.span.of(texts[response.source.passage_id]) == "17 August 1970"


def test_a_short_answer_is_cited_where_it_answers_not_where_its_words_come_first() -> None:
    text = "Bridge 12 has many  arches, their number is 12."
    evidence = (reference(1, text).evidence,)
    response = extract_answer(ExtractRequest("What is the number of arches of Bridge 12?", evidence))
    assert response.source is not None
    assert response.source.span.start == text.rindex("12")


def test_a_question_for_no_known_type_has_no_short_answer() -> None:
    assert extract("What did Cassini discover at Enceladus?") == ExtractResponse()


@pytest.mark.parametrize("question", ["What is the best recipe for sourdough bread?", "When did Apollo 25 land?"])
def test_where_the_evidence_holds_none_there_is_none(question: str) -> None:
    assert extract(question) == ExtractResponse()


def test_without_evidence_there_is_none() -> None:
    assert extract_answer(ExtractRequest("When?")) == ExtractResponse()


CASSINI = "The launch of Cassini in October 1997 met protests; the same had happened before the launch of Galileo."
LUNA = "Luna 3 was launched on 4 October 1959, exactly two years after Sputnik 1."


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "which vehicle was the first that drove on the Moon",
            "The first robot to bring soil to the Earth was Luna 16, and the first vehicle that drove on the Moon was "
            "Lunokhod 1, both in 1970.",
            "Lunokhod 1",
        ),
        (
            "which spacecraft was the first to visit Jupiter",
            "Jupiter was first visited by Pioneer 10 in 1973, and the first spacecraft to orbit Jupiter was Galileo.",
            "Pioneer 10",
        ),
        (
            "When did Opportunity land on Mars?",
            "Mars Pathfinder landed in Ares Vallis in 1997, Spirit in Gusev and Opportunity on Meridiani in 2004.",
            "2004",
        ),
        ("how much soil did Chang'e 6 bring back", "The capsule of Chang'e 6 brought 1,935.3 grams.", "1,935.3 grams"),
        (
            "when did Surveyor 1 land",
            "Surveyor 1 was launched on 30 May 1966 and landed in Oceanus Procellarum on 2 June 1966.",
            "2 June 1966",
        ),
        (
            "how long did Venera 14 survive",
            "Venera 14 landed on 5 March 1982, about 950 kilometres south-west of Venera 13, and survived 57 minutes.",
            "57 minutes",
        ),
        (
            "how long did the probe survive",
            "The probe was designed for 32 minutes and survived 127 minutes.",
            "127 minutes",
        ),
        (
            "when was the landing of Vikram",
            "On 23 August 2023 Vikram came down. The landing of Vikram was the softest of its kind.",
            "23 August 2023",
        ),
        ("When was the launch of Galileo?", CASSINI, None),
        ("When was the launch of Cassini?", CASSINI, "October 1997"),
        ("When was Luna 3 launched?", LUNA, "4 October 1959"),
        ("how heavy is Opportunity", "Opportunity was finished after eleven years and two months.", None),
        ("how far did Opportunity drive", "Opportunity drove for 14 years.", None),
        ("how much soil did Luna 16 bring back", "The soil that Luna 16 brought back is 3.4 billion years old.", None),
    ],
)
def test_a_short_answer_is_of_the_sort_and_from_the_clause_that_has_most_of_the_question(
    question: str, text: str, answer: str | None
) -> None:
    assert extract_answer(ExtractRequest(question, (reference(1, text).evidence,))).answer == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when was the landing of Vikram", "Vikram was launched on 14 July 2023."),
    ],
)
def test_what_tells_another_thing_or_of_another_is_no_answer(question: str, text: str) -> None:
    evidence = (reference(1, text, title="The landing of Vikram and Chang'e 6").evidence,)
    assert extract_answer(ExtractRequest(question, evidence)).answer is None


@pytest.mark.parametrize(
    ("question", "texts", "answer"),
    [
        (
            "When was Galileo launched?",
            ("Galileo was to be launched in the spring of 1986.", "On 18 October 1989 Galileo was launched at last."),
            "18 October 1989",
        ),
        (
            "when was it that Voyager 2 passed Neptune",
            ("On 9 July 1979 Voyager 2 passed Jupiter.", "On 25 August 1989 Voyager 2 passed over Neptune."),
            "25 August 1989",
        ),
    ],
    ids=["what happened before what was planned", "the sentence that names all that is asked about"],
)
def test_the_best_of_two_sentences_answers(question: str, texts: tuple[str, ...], answer: str) -> None:
    evidence = tuple(reference(number, text).evidence for number, text in enumerate(texts, start=1))
    assert extract_answer(ExtractRequest(question, evidence)).answer == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "which probe flew past Mercury three times",
            "The first probe to orbit Mercury was MESSENGER. "
            "Mercury was first visited in 1974 by Mariner 10, which flew past three times.",
            "Mariner 10",
        ),
        (
            "which lander landed nearest to the north pole of Mars",
            "Phoenix landed in 2008 in Vastitas Borealis, nearest of all landers to the north pole of Mars.",
            "Phoenix",
        ),
    ],
)
def test_a_name_comes_from_the_sentence_that_says_most_of_what_is_asked_and_is_no_place_of_it(
    question: str, text: str, answer: str
) -> None:
    response = extract_answer(ExtractRequest(question, (reference(1, text, title="Firsts").evidence,)))
    assert response.answer == answer
