"""Words of the history are put into the turn as they stand there."""

import pytest

from services.decompose.wording.spans import stand_alone
from tests.unit.decompose.wording.messages import answer, message


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ("Is it treatable?", "Is throat cancer treatable?"),
        ("What are its symptoms?", "What are throat cancer's symptoms?"),
        ("What causes that?", "What causes throat cancer?"),
        ("It hurts.", "Throat cancer hurts."),
        ("What are the symptoms?", "What are the symptoms (throat cancer)?"),
        ("How is that disease found?", "How is that disease found (throat cancer)?"),
        ("Who showed that smoking is a cause?", "Who showed that smoking is a cause (throat cancer)?"),
        ("Is there a mild one?", "Is there a mild throat cancer?"),
        ("symptoms", "symptoms (throat cancer)"),
    ],
)
def test_a_stretch_takes_the_place_of_a_pointing_word_or_follows(turn: str, expected: str) -> None:
    history = [message("What is throat cancer?")]
    assert stand_alone(turn, history, {"throat": 0.9, "cancer": 0.9}) == expected


def test_a_turn_that_needs_nothing_stays_as_it_is() -> None:
    assert stand_alone("Is it safe?", [message("What is aspirin?")], {}) == "Is it safe?"


def test_stop_words_within_a_stretch_are_kept() -> None:
    history = [message("Tell me about the Bank of the West.")]
    assert stand_alone("Who owns it?", history, {"bank": 0.9, "west": 0.8}) == "Who owns the Bank of the West?"


def test_words_of_two_sentences_are_two_stretches_the_likeliest_first() -> None:
    history = [message("I sail. Boats leak.")]
    assert stand_alone("Why do they?", history, {"sail": 0.5, "boat": 0.9}) == "Why do Boats (sail)?"


def test_the_stretch_with_most_words_is_taken_and_a_question_before_an_answer() -> None:
    history = [message("What is Lyme disease?"), answer("Lyme disease is an infection. Disease spreads.")]
    assert stand_alone("Is it rare?", history, {"lyme": 0.9, "diseas": 0.9}) == "Is Lyme disease rare?"
    history = [message("red wine"), answer("RED WINE")]
    assert stand_alone("Is it dear?", history, {"red": 0.9, "wine": 0.9}) == "Is red wine dear?"


def test_a_name_that_ends_in_s_gets_an_apostrophe() -> None:
    history = [message("Tell me about tiger sharks.")]
    text = stand_alone("What are their habits?", history, {"tiger": 0.9, "shark": 0.9})
    assert text == "What are tiger sharks' habits?"


def test_words_that_the_history_lacks_are_left_out() -> None:
    assert stand_alone("And then?", [message("What is rust?")], {"iron": 0.9}) == "And then?"


def test_the_likeliest_words_take_the_place_of_the_pointing_word_and_the_others_follow() -> None:
    history = [message("When did Viking 1 land on Mars?")]
    likely = {"vike": 0.89, "1": 0.5, "land": 0.4, "mar": 0.5}
    assert stand_alone("Who built it?", history, likely) == "Who built Viking 1 (land on Mars)?"


def test_a_noun_after_a_name_and_none_of_the_verb_before_takes_the_place_of_the_pointing_word() -> None:
    history = [message("How do I renew my PIV card?")]
    likely = {"renew": 0.8, "piv": 0.9, "card": 0.4}
    assert stand_alone("Who pays for it?", history, likely) == "Who pays for my PIV card (renew)?"


def test_an_address_has_no_words() -> None:
    history = [message("Write to piv.office@example.org or https://example.org/piv.")]
    assert stand_alone("Who reads it?", history, {"piv": 0.9}) == "Who reads it?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [("How deep is a pond?", "Who dug the pond?"), ("How deep is our pond?", "Who dug our pond?")],
)
def test_a_noun_brings_its_determiner(question: str, expected: str) -> None:
    assert stand_alone("Who dug it?", [message(question)], {"pond": 0.9}) == expected


@pytest.mark.parametrize(
    "turn",
    [
        "Is it true that Venus has rings?",
        "How long does it take to build a rover?",
        "Does NASA publish its budget?",
        "When did Luna 9 launch and where did it land?",
        "After its landing, what did Philae find?",
        "Is one of the landers at work?",
        "Is the number one cause smoking?",
        "What happened one day later?",
        "Where is Formula One held?",
        "Who runs the one-off service?",
        "Was the second one heavier?",
    ],
)
def test_a_word_that_points_to_nothing_or_within_the_turn_is_kept(turn: str) -> None:
    text = stand_alone(turn, [message("When did Viking 1 land?")], {"vike": 0.9, "1": 0.8})
    assert text == f"{turn[:-1]} (Viking 1)?"
