"""German questions: what they ask for, and which words of them are names."""

import pytest

from services.answer.question import AnswerKind, ParsedQuestion, read_question


def read(text: str) -> ParsedQuestion:
    return read_question(text, "de")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Wann wurde die Obere Melzbrücke eröffnet?", AnswerKind.DATE),
        ("Seit wann fährt die Straßenbahn nach Rabenau?", AnswerKind.DATE),
        ("In welchem Jahr starb der Baumeister?", AnswerKind.DATE),
        ("Wer hat das Rathaus entworfen?", AnswerKind.PERSON),
        ("Wem gehört das Zeughaus?", AnswerKind.PERSON),
        ("Wo steht das Reiterdenkmal?", AnswerKind.PLACE),
        ("Wohin fährt die Linie 5?", AnswerKind.PLACE),
        ("Wie viele Türme hat das Schloss?", AnswerKind.NUMBER),
        ("Was kostet ein Ausweis?", AnswerKind.NUMBER),
        ("Wie hoch ist der Fernmeldeturm?", AnswerKind.NUMBER),
        ("Warum wurde der Turm gesperrt?", AnswerKind.REASON),
        ("Was ist ein Wehr?", AnswerKind.DEFINITION),
        ("Welche Rakete trug die Sonde?", AnswerKind.NAME),
        ("Wie heißt der Fluss?", AnswerKind.NAME),
        ("Ist die Brücke gesperrt?", AnswerKind.STATEMENT),
        ("Darf ich Hunde mitbringen?", AnswerKind.STATEMENT),
    ],
)
def test_a_question_asks_for_one_kind_of_answer(text: str, kind: AnswerKind) -> None:
    assert read(text).kind is kind


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Wie hoch ist der Fernmeldeturm?", "m"),
        ("Wie lange dauerte der Bau?", "month"),
        ("Wie schwer ist die Glocke?", "kg"),
        ("Wie schnell fährt die Fähre?", "km/h"),
        ("Wie hoch ist die Mietgebühr?", "EUR"),
    ],
)
def test_a_question_for_a_quantity_tells_its_units(text: str, unit: str) -> None:
    assert unit in read(text).units


def test_a_charge_is_not_asked_for_in_metres() -> None:
    assert "m" not in read("Wie hoch ist die Mietgebühr?").units


@pytest.mark.parametrize(
    ("text", "stem"),
    [("Wie viele Türme hat das Schloss?", "turm"), ("Wie viele Tage Urlaub bekomme ich?", "tag")],
)
def test_the_noun_after_how_many_is_counted(text: str, stem: str) -> None:
    assert read(text).counted_stem == stem


def test_the_noun_after_which_is_the_category() -> None:
    assert (
        read("Welche drei Brücken sind gesperrt?").category == read("Welche Brücke ist gesperrt?").category == "bruck"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Wann starb Karl Friedrich Riedel?", ("Karl Friedrich Riedel",)),
        ("Wohin fährt die Linie 5?", ("Linie 5",)),
        ("Was macht die NASA?", ("NASA",)),
        ("Wann wurde das Rathaus gebaut?", ()),
        ("Wie war der Anfang 1900 in der Stadt?", ()),
    ],
)
def test_a_capital_alone_makes_no_name(text: str, names: tuple[str, ...]) -> None:
    assert read(text).names == names


def test_a_noun_that_is_no_name_is_compared_by_its_stem() -> None:
    assert "bruck" in read("Wann wurden die Brücken gebaut?").stems


def test_a_language_without_rules_asks_for_no_kind() -> None:
    question = read_question("Quando è stato costruito il ponte?", "it")
    assert (question.kind, question.counted_stem, question.category) == (AnswerKind.STATEMENT, "", "")
