"""Several questions in one turn, the later ones about what the first one finds or names."""

import pytest

from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from tests.unit.decompose.splitting import SPLITTER


def plan(question: str) -> list[tuple[str, tuple[str, ...]]]:
    """Each sub-query and the ids of those that it waits for."""
    nodes = SPLITTER.plan(question, None, reading_language(question, usual=ENGLISH)).nodes
    return [(node.text, node.links) for node in nodes]


ASKED_FOR = [
    ("Which rover landed in Gale Crater and when did it launch?", "when did #1 launch"),
    ("Who discovered Uranus and where was he born?", "where was #1 born"),
    ("Which agency built Hayabusa2 and how many people do they employ?", "how many people do #1 employ"),
    ("Which lawyer did Irene Adler marry, and to what church did he drive?", "to what church did #1 drive"),
    ("What sensor does the AX-220 use and what is its range?", "what is #1's range"),
    ("From which dealer did the inn get its geese, and which woman had supplied him?", "which woman had supplied #1"),
    ("Which of the pumps failed in March and how long was it out of service?", "how long was #1 out of service"),
    ("In which city was Mozart born and how many people live there today?", "how many people live in #1 today"),
    ("Welche Firma hat die Brücke gebaut und wo hatte sie ihren Sitz?", "wo hatte #1 ihren Sitz"),
    ("Wer leitete das Museum im Jahr 1990, und wann ging er in den Ruhestand?", "wann ging #1 in den Ruhestand"),
    ("Unter welcher Lizenz steht das Programm und ab welcher Version gilt die?", "ab welcher Version gilt #1"),
]


@pytest.mark.parametrize(("question", "second"), ASKED_FOR)
def test_a_pronoun_stands_for_what_the_first_question_asks_for(question: str, second: str) -> None:
    (_, first_links), node = plan(question)
    assert (first_links, node) == ((), (second, ("1",)))


IDENTIFIED = [
    ("Who is the father of Ann Ray and in what city is he from?", "in what city is #1 from"),
    ("What was Helen's sister called and how old was she when she died?", "how old was #1 when #1 died"),
    ("whats the real name of wilsons assistant and where did he go to school?", "where did #1 go to school"),
    ("What was the last release of 2024 and what got fixed in it?", "what got fixed in #1"),
    ("What is the capital of Australia and what is its population?", "what is #1's population"),
    ("Wie heißt der Leiter des Museums und seit wann arbeitet er dort?", "seit wann arbeitet #1 dort"),
]


@pytest.mark.parametrize(("question", "second"), IDENTIFIED)
def test_a_pronoun_stands_for_the_one_whose_name_is_asked_for(question: str, second: str) -> None:
    assert plan(question)[1] == (second, ("1",))


NAMED = [
    ("When did Viking 1 launch and where did it land?", "where did Viking 1 land"),
    (
        "When was the Harlow plant opened and how many people did it employ?",
        "how many people did the Harlow plant employ",
    ),
    (
        "When was the Harlow plant opened and how many people worked there?",
        "how many people worked in the Harlow plant",
    ),
    ("Who built Viking 1 and when did it land?", "when did Viking 1 land"),
    ("What is the price of the AX-220 and where can I buy it?", "where can I buy the AX-220"),
    ("What is a rover, and how does it steer?", "how does the rover steer"),
    ("Who is Ann Ray and when was she born?", "when was Ann Ray born"),
    ("Wer hat das Lied geschrieben und wann wurde es veröffentlicht?", "wann wurde das Lied veröffentlicht"),
    ("Welche Linie fährt zum Bahnhof und wann öffnen Sie?", "wann öffnen Sie"),
    ("Wann wurde das Kraftwerk gebaut und wer arbeitete dort?", "wer arbeitete dort (das Kraftwerk)"),
]


@pytest.mark.parametrize(("question", "second"), NAMED)
def test_a_pronoun_stands_for_what_the_first_question_names_if_it_agrees_with_that(question: str, second: str) -> None:
    assert plan(question)[1] == (second, ())


def test_two_pronouns_of_a_question_stand_for_two_things() -> None:
    question = "Which ministry came up with the bank details pattern, and what service of theirs is it based on?"
    assert plan(question)[1] == ("what service of #1 is the bank details pattern based on", ("1",))


BARE = [
    ("When was the bridge built, and why?", ["when was the bridge built", "why was the bridge built"]),
    (
        "What year was the company founded and by whom?",
        ["what year was the company founded", "by whom was the company founded"],
    ),
    ("Wann wurde die Brücke gebaut und von wem?", ["wann wurde die Brücke gebaut", "von wem wurde die Brücke gebaut"]),
]


@pytest.mark.parametrize(("question", "texts"), BARE)
def test_a_question_word_alone_asks_the_same_question_otherwise(question: str, texts: list[str]) -> None:
    assert [text for text, _ in plan(question)] == texts


@pytest.mark.parametrize(
    "question",
    [
        "What are its roots and what influenced it?",
        "When and how were they domesticated?",
        "How is steaming different from grilling? Which one is healthier?",
        "That's excellent advice. Can you compare them?",
        "Which is younger and why?",
        "Wann öffnet das Museum und wie ist seine Adresse?",
    ],
)
def test_a_turn_whose_questions_point_to_nothing_known_stays_whole(question: str) -> None:
    assert plan(question) == [(question, ())]


@pytest.mark.parametrize(
    "second", ["when did the Rosetta probe reach its comet", "how long does it take to get to the Moon"]
)
def test_a_pronoun_of_the_questions_own_thing_or_of_nothing_is_kept(second: str) -> None:
    assert plan(f"When did Phoenix land and {second}?") == [("when did Phoenix land", ()), (second, ())]
