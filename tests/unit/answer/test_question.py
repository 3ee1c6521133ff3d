"""What a question asks for."""

import pytest

from services.answer.question import AnswerKind, names_of_question, read_question


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("When was Venera 7 launched?", AnswerKind.DATE),
        ("In which year did Apollo 8 fly?", AnswerKind.DATE),
        ("How many pictures did Mariner 9 return?", AnswerKind.NUMBER),
        ("What was the mass of Hope?", AnswerKind.NUMBER),
        ("Where did Huygens land?", AnswerKind.PLACE),
        ("Who took the photograph?", AnswerKind.PERSON),
        ("Why did Spirit stop?", AnswerKind.REASON),
        ("What is a gravity assist?", AnswerKind.DEFINITION),
        ("What about the Viking landers?", AnswerKind.DEFINITION),
        ("Which rocket launched Curiosity?", AnswerKind.NAME),
        ("What did Cassini find?", AnswerKind.STATEMENT),
        ("Did Luna 9 sink?", AnswerKind.STATEMENT),
    ],
)
def test_the_words_of_a_question_tell_the_kind_of_its_answer(text: str, kind: AnswerKind) -> None:
    assert read_question(text, language="en").kind is kind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("When was Venera 7 launched?", ("Venera 7",)),
        ("Did Neil Armstrong and Buzz Aldrin meet Nixon?", ("Neil Armstrong", "Buzz Aldrin", "Nixon")),
        ("What was Apollo 11's landing site?", ("Apollo 11",)),
        ("when did apollo 11 land?", ("apollo 11",)),
        ("What happened in 1969?", ()),
        ("name the first 7 astronauts", ()),
        ("How far is it in 20 kilometres?", ()),
        ("", ()),
    ],
)
def test_names_are_runs_of_capitals_with_their_numbers(text: str, names: tuple[str, ...]) -> None:
    assert names_of_question(text, language="en") == names


def test_a_name_is_no_content_word_besides() -> None:
    question = read_question("When did Venera 7 land on Venus?", language="en")
    assert question.stems == ("land",)
    assert question.names == ("Venera 7", "Venus")


def test_how_far_wants_a_length_and_how_many_tells_what_is_counted() -> None:
    assert "km" in read_question("How far did Spirit drive?", language="en").units
    assert "kg" not in read_question("How far did Spirit drive?", language="en").units
    assert read_question("How many small moons does Mars have?", language="en").counted_stem == "moon"
    assert read_question("How many members came?", language="en").counted_stem == "member"
    assert read_question("How many astronauts walked on the Moon?", language="en").counted_stem == "astronaut"
    assert read_question("Which rocket launched Curiosity?", language="en").category == "rocket"


def test_what_is_counted_is_a_thing() -> None:
    assert read_question("How many days off do I have?", language="en").counted_stem == "day"


def test_per_is_no_word_that_the_evidence_could_lack() -> None:
    assert "per" not in read_question("How much do I get per kilometre?", language="en").stems
