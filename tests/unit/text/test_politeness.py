import pytest

from libs.text.politeness import without_politeness


@pytest.mark.parametrize(
    ("text", "language", "question"),
    [
        ("Thanks! And how much is it?", "en", "And how much is it?"),
        ("Danke! Und was kostet es?", "de", "Und was kostet es?"),
        ("Können Sie mir bitte sagen, wann die Linie 3 fährt?", "de", "wann die Linie 3 fährt?"),
        ("Hallo, könntest du mir mal kurz erklären, wie das geht?", "de", "wie das geht?"),
        ("Sag mir bitte, wo das Rathaus steht.", "de", "wo das Rathaus steht."),
        ("Ich würde gern wissen, warum sie gesperrt ist.", "de", "warum sie gesperrt ist."),
        ("Können Schüler kostenlos fahren?", "de", "Können Schüler kostenlos fahren?"),
        ("Gut erhaltene Fahrräder: wo gibt es die?", "de", "Gut erhaltene Fahrräder: wo gibt es die?"),
        ("Danke!", "de", "Danke!"),
        ("Merci ! Combien ?", "fr", "Merci ! Combien ?"),
    ],
)
def test_politeness_before_a_question_is_removed(text: str, language: str, question: str) -> None:
    assert without_politeness(text, language) == question
