"""What the tagger sees of a conversation."""

from services.decompose.wording.inputs import AGES, OCCURRENCES, USER_MESSAGES, read_inputs
from tests.unit.decompose.wording.messages import answer, message


def test_content_words_of_the_history_that_the_turn_lacks_are_occurrences() -> None:
    inputs = read_inputs(message("And the price of it?"), [message("What does the Acme tent weigh?")])
    assert inputs.stems == ("acm", "tent", "weigh")
    assert inputs.kinds.tolist() == [1, 1, 0, 1, 2]


def test_words_of_the_turn_that_were_said_are_counted() -> None:
    history = [message("What does the Acme tent weigh?"), answer("The tent weighs 2 kg.")]
    assert read_inputs(message("Is the tent of Acme dry?"), history).said == 2
    assert read_inputs(message("Who won the election?"), history).said == 0


def test_occurrences_of_a_stem_share_its_features() -> None:
    history = [message("Are tents warm?"), answer("A tent keeps 2 people warm."), message("Which tent is light?")]
    inputs = read_inputs(message("Why?"), history)
    tent = inputs.stems.index("tent")
    assert inputs.ages[inputs.stem_of == tent].tolist() == [0, 1, AGES]
    features = inputs.features[tent].tolist()
    assert features[2:11] == [1, 1, 2, 1, 0, 1, 1, 1, 0]
    assert inputs.features[inputs.stems.index("2"), 12] == 1


def test_only_new_messages_and_the_first_question_are_read() -> None:
    history = [message(f"topic{number}") for number in range(USER_MESSAGES + 5)]
    stems = read_inputs(message("Why?"), history).stems
    assert stems[-1] == "topic0"
    assert len(stems) == USER_MESSAGES + 1
    assert "topic4" not in stems


def test_a_long_answer_is_cut() -> None:
    history = [message("What?"), answer(" ".join(f"word{number}" for number in range(2 * OCCURRENCES)))]
    assert len(read_inputs(message("Why?"), history).stems) == OCCURRENCES


def test_a_turn_without_history_has_nothing_to_take() -> None:
    inputs = read_inputs(message("Why?"), [])
    assert inputs.stems == ()
    assert inputs.features.shape[0] == 0
