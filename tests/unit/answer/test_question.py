"""What a question asks for."""

import pytest

from services.answer.questions.question import AnswerKind, read_question


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "When was Venera 7 launched?", AnswerKind.DATE),
        ("en", "In which year did Apollo 8 fly?", AnswerKind.DATE),
        ("en", "How many pictures did Mariner 9 return?", AnswerKind.NUMBER),
        ("en", "What was the mass of Hope?", AnswerKind.NUMBER),
        ("en", "Where did Huygens land?", AnswerKind.PLACE),
        ("en", "Who took the photograph?", AnswerKind.PERSON),
        ("en", "Why did Spirit stop?", AnswerKind.STATEMENT),
        ("en", "What is a gravity assist?", AnswerKind.STATEMENT),
        ("en", "What about the Viking landers?", AnswerKind.STATEMENT),
        ("en", "Which rocket launched Curiosity?", AnswerKind.NAME),
        ("en", "What did Cassini find?", AnswerKind.STATEMENT),
        ("en", "Did Luna 9 sink?", AnswerKind.STATEMENT),
        ("de", "Wann wurde die Obere Melzbrücke eröffnet?", AnswerKind.DATE),
        ("de", "In welchem Jahr starb der Baumeister?", AnswerKind.DATE),
        ("de", "Wer hat das Rathaus entworfen?", AnswerKind.PERSON),
        ("de", "Wo steht das Reiterdenkmal?", AnswerKind.PLACE),
        ("de", "Wie viele Türme hat das Schloss?", AnswerKind.NUMBER),
        ("de", "Was kostet ein Ausweis?", AnswerKind.NUMBER),
        ("de", "Warum wurde der Turm gesperrt?", AnswerKind.STATEMENT),
        ("de", "Was ist ein Wehr?", AnswerKind.STATEMENT),
        ("de", "Welche Rakete trug die Sonde?", AnswerKind.NAME),
        ("de", "Wie heißt der Fluss?", AnswerKind.NAME),
        ("de", "Ist die Brücke gesperrt?", AnswerKind.STATEMENT),
        ("de", "Darf ich Hunde mitbringen?", AnswerKind.STATEMENT),
    ],
)
def test_the_words_of_a_question_tell_the_kind_of_its_answer(language: str, text: str, kind: AnswerKind) -> None:
    assert read_question(text, language=language).kind is kind


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "When was Venera 7 launched?", ("Venera 7",)),
        ("en", "Did Neil Armstrong and Buzz Aldrin meet Nixon?", ("Neil Armstrong", "Buzz Aldrin", "Nixon")),
        ("en", "What was Apollo 11's landing site?", ("Apollo 11",)),
        ("en", "What happened in 1969?", ()),
        ("en", "name the first 7 astronauts", ()),
        ("en", "How far is it in 20 kilometres?", ()),
        ("en", "", ()),
        ("de", "Wann starb Karl Friedrich Riedel?", ("Karl Friedrich Riedel",)),
        ("de", "Wohin fährt die Linie 5?", ("Linie 5",)),
        ("de", "Was macht die NASA?", ("NASA",)),
        ("de", "Wann wurde das Rathaus gebaut?", ()),
        ("de", "Wie war der Anfang 1900 in der Stadt?", ()),
    ],
)
def test_names_are_runs_of_capitals_with_their_numbers(language: str, text: str, names: tuple[str, ...]) -> None:
    assert read_question(text, language).names == names


def test_a_name_is_no_content_word_besides() -> None:
    question = read_question("When did Venera 7 land on Venus?", language="en")
    assert question.stems == ("land",)
    assert question.names == ("Venera 7", "Venus")


@pytest.mark.parametrize(
    ("language", "text", "unit", "no_unit"),
    [
        ("en", "How far did Spirit drive?", "km", "kg"),
        ("de", "Wie hoch ist der Fernmeldeturm?", "m", "EUR"),
        ("de", "Wie lange dauerte der Bau?", "month", "m"),
        ("de", "Wie schwer ist die Glocke?", "kg", "m"),
        ("de", "Wie schnell fährt die Fähre?", "km/h", "kg"),
        ("de", "Wie hoch ist die Mietgebühr?", "EUR", "m"),
    ],
)
def test_a_question_for_a_quantity_tells_its_units(language: str, text: str, unit: str, no_unit: str) -> None:
    units = read_question(text, language).units
    assert unit in units
    assert no_unit not in units


@pytest.mark.parametrize(
    ("language", "text", "category"),
    [
        ("en", "How many members came?", ""),
        ("en", "Which rocket launched Curiosity?", "rocket"),
        ("de", "Welche drei Brücken sind gesperrt?", "bruck"),
        ("de", "Welche Brücke ist gesperrt?", "bruck"),
    ],
)
def test_the_noun_after_which_is_the_category(language: str, text: str, category: str) -> None:
    assert read_question(text, language).category == category


def test_a_noun_that_is_no_name_is_compared_by_its_stem() -> None:
    assert "bruck" in read_question("Wann wurden die Brücken gebaut?", "de").stems


def test_a_language_without_rules_asks_for_no_kind() -> None:
    question = read_question("Quando è stato costruito il ponte?", "it")
    assert (question.kind, question.category) == (AnswerKind.STATEMENT, "")
