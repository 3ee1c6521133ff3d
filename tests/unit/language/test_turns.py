"""The one reading of a turn: courtesy, request, correction, form or question, and what it picks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.conversation import AnswerForm, ConversationView, Courtesy, HistoryMessage, Speaker, TurnKind
from libs.language.known import language_of
from libs.language.turns.courtesies import LONGEST
from libs.language.turns.picks import listed_items, pick_listed, pick_offered
from libs.language.turns.reader import courtesy_reply, joined, read_turn, with_readings
from tests.fakes.conversations import view_of

FIRST = ConversationView()
KETTLE = with_readings(view_of("How much water does the kettle hold?", "It holds 1.7 litres [1]."))
KESSEL = with_readings(view_of("Wie viel Wasser fasst der Kessel?", "Er fasst 1,7 Liter [1]."))
OFFERED = ("Apollo 11", "Viking 1", "Refunds of damaged goods")
BATHS = ("Hallenbad am Anger", "Freibad Waldsee")


@pytest.mark.parametrize(
    ("turn", "courtesy", "language"),
    [
        ("Hello", Courtesy.GREETING, "en"),
        ("Guten Tag!", Courtesy.GREETING, "de"),
        ("Thanks, that worked", Courtesy.THANKS, "en"),
        ("Perfect, thank you!", Courtesy.THANKS, "en"),
        ("Vielen Dank, das hat geholfen.", Courtesy.THANKS, "de"),
        ("Merci beaucoup", Courtesy.THANKS, "fr"),
        ("谢谢", Courtesy.THANKS, "zh"),
        ("ありがとう", Courtesy.THANKS, "ja"),
        ("I see", Courtesy.APPROVAL, "en"),
        ("How are you?", Courtesy.GREETING, "en"),
        ("hmm, sure", Courtesy.APPROVAL, "en"),
        ("Great, you answered my question.", Courtesy.APPROVAL, "en"),
        ("you're amazing", Courtesy.THANKS, "en"),
        ("that's perfect", Courtesy.THANKS, "en"),
        ("cheers mate, that was quick", Courtesy.THANKS, "en"),
        ("gut, dann weiß ich alles", Courtesy.APPROVAL, "de"),
    ],
)
def test_a_turn_that_asks_nothing_is_replied_to_in_its_language(turn: str, courtesy: Courtesy, language: str) -> None:
    reading = read_turn(turn, FIRST)
    assert (reading.kind, reading.courtesy, reading.language) == (TurnKind.COURTESY, courtesy, language)
    assert reading.text == ""
    assert courtesy_reply(reading) == language_of(language).phrases[f"reply_{courtesy}".lower()]


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ("Thanks, and the price?", "and the price?"),
        ("thanks how do I install it", "how do I install it"),
        ("Hello, how do I install it?", "how do I install it?"),
        ("Hello world program", "Hello world program"),
        ("What is great about it?", "What is great about it?"),
        ("Great Barrier Reef", "Great Barrier Reef"),
        ("right of way at crossings", "right of way at crossings"),
        ("ok cool. does it fit a van", "does it fit a van"),
        ("How wide is it? Thanks!", "How wide is it?"),
        ("ok, the time", "the time"),
        ("Thankfulness", "Thankfulness"),
        ("", ""),
    ],
)
def test_what_names_something_is_searched_without_the_courtesy_around_it(turn: str, text: str) -> None:
    reading = read_turn(turn, FIRST)
    assert (reading.kind, reading.text) == (TurnKind.QUESTION, text)


@given(st.text(alphabet="abc ?", min_size=LONGEST))
def test_a_long_turn_is_no_courtesy(turn: str) -> None:
    assert read_turn(f"thanks {turn}", FIRST).kind is not TurnKind.COURTESY


@pytest.mark.parametrize(
    ("turn", "kind", "text"),
    [
        ("Great. Now show me the lid of the T-9.", TurnKind.REQUEST, "the lid of the T-9."),
        ("ok, I'd like to know the colour", TurnKind.REQUEST, "the colour"),
        ("I need to send it back", TurnKind.QUESTION, "I need to send it back"),
        ("No, I meant the lid.", TurnKind.CORRECTION, "the lid."),
        ("sorry, the T-12", TurnKind.CORRECTION, "the T-12"),
        ("no not the kettle, I mean the toaster", TurnKind.CORRECTION, "the toaster"),
        ("no, it was the T-12", TurnKind.CORRECTION, "the T-12"),
        ("No, how tall is the T-12?", TurnKind.QUESTION, "how tall is the T-12?"),
        ("No, that's wrong.", TurnKind.CORRECTION, ""),
        ("No, that is not what I asked.", TurnKind.CORRECTION, ""),
        ("ok, but that did not help", TurnKind.CORRECTION, ""),
        ("yes, for the T-12", TurnKind.QUESTION, "for the T-12"),
    ],
)
def test_wishes_and_corrections_are_read_as_what_they_want(turn: str, kind: TurnKind, text: str) -> None:
    reading = read_turn(turn, KETTLE)
    assert (reading.kind, reading.text) == (kind, text)


@pytest.mark.parametrize(
    ("turn", "kind", "text"),
    [
        ("Gut, jetzt bitte den Deckel der T-9", TurnKind.REQUEST, "den Deckel der T-9"),
        ("Nein, ich meinte den Deckel", TurnKind.CORRECTION, "den Deckel"),
        ("Entschuldigung, die T-12", TurnKind.CORRECTION, "die T-12"),
        ("Nein, das habe ich nicht gefragt.", TurnKind.CORRECTION, ""),
        ("Ja, und der Preis?", TurnKind.QUESTION, "und der Preis?"),
    ],
)
def test_german_wishes_and_corrections_too(turn: str, kind: TurnKind, text: str) -> None:
    reading = read_turn(turn, KESSEL)
    assert (reading.language, reading.kind, reading.text) == ("de", kind, text)


@pytest.mark.parametrize(
    ("turn", "form", "language"),
    [
        ("Shorter please.", AnswerForm.SHORTER, ""),
        ("thanks, can you make that shorter?", AnswerForm.SHORTER, ""),
        ("as a list", AnswerForm.LIST, ""),
        ("Can you put that in a table?", AnswerForm.TABLE, ""),
        ("Repeat your last answer.", AnswerForm.REPEAT, ""),
        ("say that again", AnswerForm.REPEAT, ""),
        ("in simpler words please", AnswerForm.SIMPLER, ""),
        ("In German?", AnswerForm.TRANSLATION, "de"),
        ("Translate that into Spanish", AnswerForm.TRANSLATION, "es"),
        ("translate that", AnswerForm.TRANSLATION, "en"),
    ],
)
def test_a_wish_for_another_form_is_no_topic(turn: str, form: AnswerForm, language: str) -> None:
    reading = read_turn(turn, KETTLE)
    assert (reading.kind, reading.form, reading.form_language) == (TurnKind.FORM, form, language)
    assert reading.text == ""


@pytest.mark.parametrize(
    "turn",
    [
        "Is it shorter?",
        "Which one is shorter?",
        "a list of the kettles",
        "Translate the warranty card",
        "in German law",
    ],
)
def test_what_names_something_else_is_no_form(turn: str) -> None:
    assert read_turn(turn, KETTLE).kind is TurnKind.QUESTION


def test_without_an_answer_there_is_no_form_of_it() -> None:
    assert read_turn("Shorter please.", FIRST).kind is TurnKind.QUESTION


def test_a_turn_in_no_certain_language_is_in_that_of_the_one_before() -> None:
    assert read_turn("AX-220?", KESSEL).language == "de"
    assert read_turn("AX-220?", KETTLE).language == "en"


def test_the_view_is_read_once() -> None:
    view = with_readings(view_of("What is tea?", "A drink.", "Thanks!", "You're welcome."))
    assert with_readings(view) is view
    kinds = [message.reading.kind for message in view.messages if message.reading]
    assert kinds == [TurnKind.QUESTION, TurnKind.COURTESY]


def picked(turn: str, options: tuple[str, ...], language: str = "en") -> tuple[str, ...] | None:
    pick = pick_offered(turn, options, language)
    return None if pick is None else pick.options


@pytest.mark.parametrize(
    ("turn", "choice"),
    [
        ("the second one", "Viking 1"),
        ("2", "Viking 1"),
        ("number 1 please", "Apollo 11"),
        ("option 3", "Refunds of damaged goods"),
        ("the third", "Refunds of damaged goods"),
        ("The last one.", "Refunds of damaged goods"),
        ("yes", "Apollo 11"),
        ("Yeah, sure", "Apollo 11"),
        ("Viking 1", "Viking 1"),
        ("I mean viking", "Viking 1"),
        ("What about Apollo 11?", "Apollo 11"),
        ("damaged goods", "Refunds of damaged goods"),
    ],
)
def test_a_pick_among_offered_choices_is_understood(turn: str, choice: str) -> None:
    assert picked(turn, OFFERED) == (choice,)


@pytest.mark.parametrize(
    "turn",
    ["both", "not sure", "the fourth one", "When did Viking 1 land?", "Luna 9", "", "the one", "6", "the latter"],
)
def test_what_picks_none_or_leaves_open_which_is_no_pick(turn: str) -> None:
    assert picked(turn, OFFERED) is None


def test_former_and_latter_pick_of_a_pair() -> None:
    assert picked("the former", OFFERED[:2]) == ("Apollo 11",)
    assert picked("the latter", OFFERED[:2]) == ("Viking 1",)


def test_without_an_offer_nothing_is_picked() -> None:
    assert picked("the second one", ()) is None


@given(st.integers(0, 4))
def test_each_choice_is_picked_by_its_own_words(position: int) -> None:
    options = ("Apollo 11", "Apollo 13", "Viking 1", "The Moon", "Moon rocks")
    assert picked(options[position], options) == (options[position],)


@pytest.mark.parametrize(
    ("turn", "pick"),
    [
        ("das zweite", 1),
        ("Das erste bitte", 0),
        ("Ich meine das Freibad", 1),
        ("letzteres", 1),
        ("ja, genau", 0),
        ("das Hallenbad am Anger", 0),
    ],
)
def test_an_option_is_picked_in_german(turn: str, pick: int) -> None:
    assert picked(turn, BATHS, "de") == (BATHS[pick],)


TENTS = ("blue tent (2 people, 120 euros)", "green tent (4 people, 190 euros)")


@pytest.mark.parametrize(
    ("turn", "choice"),
    [
        ("gren tent", 1),
        ("I'd take the blue", 0),
        ("the second to last", 0),
    ],
)
def test_an_option_is_picked_by_what_it_says(turn: str, choice: int) -> None:
    assert picked(turn, TENTS) == (TENTS[choice],)


@pytest.mark.parametrize("turn", ["both", "all of them", "both of them please"])
def test_all_of_two_are_picked(turn: str) -> None:
    assert picked(turn, TENTS) == TENTS


@pytest.mark.parametrize("turn", ["no thanks", "neither", "none of them", "nope"])
def test_an_offer_is_declined(turn: str) -> None:
    pick = pick_offered(turn, TENTS, "en")
    assert pick is not None
    assert pick.declines
    assert pick.options == ()


@pytest.mark.parametrize(
    ("turn", "choice", "words"),
    [
        ("how heavy is the second one?", "Brio", "the second one"),
        ("when did the last arrive", "Cento", "the last"),
        ("the middle one", "Brio", ""),
        ("the last one", "Cento", ""),
        ("2", "Brio", ""),
    ],
)
def test_a_place_counts_in_what_the_answer_listed(turn: str, choice: str, words: str) -> None:
    pick = pick_listed(turn, ("Alba", "Brio", "Cento"), "en")
    assert pick is not None
    assert (pick.options, pick.words) == ((choice,), words)


@pytest.mark.parametrize("turn", ["Who was the first man in orbit?", "Brio", "in the last 14 days", "the fourth"])
def test_a_place_of_something_else_picks_nothing(turn: str) -> None:
    assert pick_listed(turn, ("Alba", "Brio", "Cento"), "en") is None


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ("There are three [1]:\n\n- **Alba**: 40 euros\n- Brio (new)\n- Cento", ("Alba", "Brio", "Cento")),
        ("It holds 1.7 litres.", ()),
    ],
)
def test_what_an_answer_lists_is_read_without_what_it_says_of_each(answer: str, items: tuple[str, ...]) -> None:
    assert listed_items(answer) == items


def test_several_options_are_one_phrase() -> None:
    assert joined(("A", "B", "C"), "en") == "A, B and C"
    assert joined(("A",), "en") == "A"


def test_a_pick_is_read_with_the_turn() -> None:
    asked = HistoryMessage(Speaker.AGENT, "Which kettle do you mean?")
    view = ConversationView((HistoryMessage(Speaker.USER, "How heavy is it?"), asked), "", ("Alba", "Brio"))
    assert read_turn("the second one", view).picks == ("Brio",)
    assert read_turn("no thanks", view).declines
    assert read_turn("neither, I want the toaster", view).text == "the toaster"
