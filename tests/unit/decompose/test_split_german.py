"""German questions: comparisons, ages, times between events, and joined questions."""

import pytest

from libs.contracts.query import FunctionCall
from libs.language.detection import reading_language
from tests.unit.decompose.splitting import SPLITTER


def sub_queries(question: str) -> tuple[list[str], FunctionCall | None]:
    """What is searched, and the function that is computed from it."""
    nodes = SPLITTER.plan(question, None, reading_language(question)).nodes
    function = next((node.function_call for node in nodes if node.function_call), None)
    return [node.text for node in nodes if node.need_rag], function


_COMPUTED = [
    (
        "Welcher See ist tiefer, der Bodensee oder der Walchensee?",
        ["wie tief ist der Bodensee", "wie tief ist der Walchensee"],
        FunctionCall("greatest", ("der Bodensee", "#1", "der Walchensee", "#2")),
    ),
    (
        "Was ist billiger, die Tageskarte oder die Monatskarte?",
        ["wie teuer ist die Tageskarte", "wie teuer ist die Monatskarte"],
        FunctionCall("least", ("die Tageskarte", "#1", "die Monatskarte", "#2")),
    ),
    (
        "Welches Museum wurde später eröffnet: das Stadtmuseum oder das Heimatmuseum?",
        ["wann wurde das Stadtmuseum eröffnet", "wann wurde das Heimatmuseum eröffnet"],
        FunctionCall("latest", ("das Stadtmuseum", "#1", "das Heimatmuseum", "#2")),
    ),
    (
        "Fährt die Linie 4 länger als die Linie 9?",
        ["wie lang fährt die Linie 4", "wie lang fährt die Linie 9"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
    (
        "Welcher Verein hat weniger Mitglieder, der Turnverein oder der Chor?",
        ["wie viele Mitglieder hat der Turnverein", "wie viele Mitglieder hat der Chor"],
        FunctionCall("least", ("der Turnverein", "#1", "der Chor", "#2")),
    ),
    (
        "Ist die Alte Mühle oder die Schlossmühle größer?",
        ["wie groß ist die Alte Mühle", "wie groß ist die Schlossmühle"],
        FunctionCall("greatest", ("die Alte Mühle", "#1", "die Schlossmühle", "#2")),
    ),
    (
        "Wurde die Kirche später als das Kloster erbaut?",
        ["wann wurde die Kirche erbaut", "wann wurde das Kloster erbaut"],
        FunctionCall("is_after", ("#1", "#2")),
    ),
    (
        "Hat Altdorf mehr Einwohner als Neustadt?",
        ["wie viele Einwohner hat Altdorf", "wie viele Einwohner hat Neustadt"],
        FunctionCall("is_greater", ("#1", "#2")),
    ),
    (
        "Wie viele Jahre liegen zwischen dem Brand der Mühle und ihrer Wiedereröffnung?",
        ["wann kam es zu dem Brand der Mühle", "wann kam es zu Wiedereröffnung der Mühle"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "Wie alt war Karl Meier, als Anna Berger starb?",
        ["wann wurde Karl Meier geboren", "wann starb Anna Berger"],
        FunctionCall("date_difference", ("#1", "#2", "years")),
    ),
    (
        "Wie viele Tage nach dem Brand der Mühle eröffnete das Museum?",
        ["wann kam es zu dem Brand der Mühle", "wann eröffnete das Museum"],
        FunctionCall("date_difference", ("#1", "#2", "days")),
    ),
]

_SEARCHED = [
    # An age may be told by a year, so it is not computed; neither is it in English.
    ("Wer ist älter, Anna Berger oder Karl Meier?", ["wie alt ist Anna Berger", "wie alt ist Karl Meier"]),
    ("Was kostet der Eintritt und wann öffnet das Museum?", ["was kostet der Eintritt", "wann öffnet das Museum"]),
    (
        "Wie hoch ist der Wasserturm und seit wann steht er?",
        ["wie hoch ist der Wasserturm", "seit wann steht der Wasserturm"],
    ),
    (
        "Wo und wann wurde der Vertrag unterschrieben?",
        ["wo wurde der Vertrag unterschrieben", "wann wurde der Vertrag unterschrieben"],
    ),
    (
        "Wer leitet die Bibliothek? Wie viele Bücher hat sie?",
        ["wer leitet die Bibliothek", "wie viele Bücher hat die Bibliothek"],
    ),
]

_WHOLE = [
    "Wann öffnet das Freibad?",
    "Wer war der erste Bürgermeister von Altdorf?",
    "Welche Unterlagen brauche ich für den Antrag, den ich gestellt habe?",
    "Wie heißt der Mann, der die Zuckerfabrik Erlau gründete?",
    "Wann ist der letzte Einlass im Freibad?",
    "Was ist der Unterschied zwischen einem Girokonto und einem Sparkonto?",
    "Gibt es im Museum ein Café und einen Laden?",
    "Wissen Sie, wann der Bus fährt und wo er hält?",
    "Haben Anna Berger und Karl Meier zusammen gearbeitet?",
    "Welche Sportarten bieten der Turnverein und der Ruderclub gemeinsam an?",
    "Wie lange dauert es, den Ausweis zu verlängern?",
]


@pytest.mark.parametrize(("question", "searches", "function"), _COMPUTED)
def test_what_two_things_are_compared_by_is_asked_of_each(
    question: str, searches: list[str], function: FunctionCall
) -> None:
    assert sub_queries(question) == (searches, function)


@pytest.mark.parametrize(("question", "searches"), _SEARCHED)
def test_joined_questions_stand_side_by_side(question: str, searches: list[str]) -> None:
    assert sub_queries(question) == (searches, None)


@pytest.mark.parametrize("question", _WHOLE)
def test_a_question_that_asks_one_thing_stays_whole(question: str) -> None:
    assert sub_queries(question) == ([question], None)
