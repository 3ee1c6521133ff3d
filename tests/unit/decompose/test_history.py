"""The window: recent turns whole, older ones as a summary."""

from hypothesis import given
from hypothesis import strategies as st

from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.language.turns.reader import with_readings
from services.decompose.history import SUMMARY_CHARACTERS, WHOLE_TURNS, Exchange, HistoryWindow, read_window


def view(*messages: tuple[str, str], summary: str = "") -> ConversationView:
    """Messages by "user" and "agent"."""
    return ConversationView(tuple(HistoryMessage(Speaker(who.upper()), text) for who, text in messages), summary)


def test_a_user_turn_goes_with_all_that_the_agent_said_after_it() -> None:
    window = read_window(view(("user", "one?"), ("agent", "First."), ("agent", "More."), ("user", "two?")))
    assert window.exchanges == (Exchange("one?", "First.\nMore."), Exchange("two?"))


def test_a_user_turn_has_the_standalone_question_that_it_was_taken_for() -> None:
    messages = (
        HistoryMessage(Speaker.USER, "How heavy is it?", standalone="How heavy is the AX-220?"),
        HistoryMessage(Speaker.AGENT, "Two kilograms."),
        HistoryMessage(Speaker.USER, "And the other?"),
    )
    window = read_window(ConversationView(messages))
    assert [exchange.standalone for exchange in window.exchanges] == ["How heavy is the AX-220?", ""]


def test_citations_are_no_words_of_an_answer() -> None:
    window = read_window(view(("user", "When [1]?"), ("agent", "In 2008 [1]. Then in 2009.[2][12] See [3](a).")))
    assert window.exchanges == (Exchange("When [1]?", "In 2008. Then in 2009. See [3](a)."),)


def test_what_the_agent_said_before_any_question_belongs_to_none() -> None:
    assert read_window(view(("agent", "Hello!"), ("user", "one?"))).exchanges == (Exchange("one?"),)


def test_older_turns_become_a_summary_after_the_one_that_came_along() -> None:
    turns = [("user", f"question {number}?") for number in range(8)]
    window = read_window(view(*turns, summary="We began with tea."))
    assert [exchange.question for exchange in window.exchanges] == [f"question {number}?" for number in range(2, 8)]
    assert window.summary == "We began with tea.\nquestion 0?\nquestion 1?"
    assert window.first_turn == 2


def test_older_turns_are_cut_at_whole_sentences_without_a_model() -> None:
    long = " ".join(f"The lamp number {number} is broken, e.g. at its foot." for number in range(60))
    turns = [("user", "Which shop?"), ("user", f"{long} Can I return it?")]
    window = read_window(view(*turns, *[("user", f"question {number}?") for number in range(6)]))
    sentences = window.summary.removesuffix(" Can I return it?").split(". The ")
    assert window.summary.startswith("The lamp number ")
    assert all("lamp number" in sentence and "at its foot" in sentence for sentence in sentences)
    assert SUMMARY_CHARACTERS - 100 < len(window.summary) <= SUMMARY_CHARACTERS


def test_nothing_said_is_an_empty_window() -> None:
    assert read_window(ConversationView()) == HistoryWindow()
    assert read_window(ConversationView()).is_empty


@given(st.lists(st.tuples(st.sampled_from(["user", "agent"]), st.text(max_size=300)), max_size=60))
def test_the_window_is_bounded_and_every_question_is_counted(messages: list[tuple[str, str]]) -> None:
    window = read_window(view(*messages))
    readings = [message.reading for message in with_readings(view(*messages)).messages]
    questions = [reading for reading in readings if reading and reading.text.strip()]
    assert len(window.exchanges) == min(WHOLE_TURNS, len(questions))
    assert window.first_turn + len(window.exchanges) == len(questions)
    assert len(window.summary) <= SUMMARY_CHARACTERS
