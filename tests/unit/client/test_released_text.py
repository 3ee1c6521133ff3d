"""What a terminal or a chat completion shows cannot be taken back: only checked sentences are released."""

from collections.abc import Sequence

from parley.client.events import CitationEvent, RestartedEvent, TextEndEvent, TextEvent, TurnEvent
from parley.client.released_text import ReleasedText
from parley.client.values import Citation, Verdict


def text(sentence: int, delta: str) -> TextEvent:
    return TextEvent("t", 1, None, delta, 1, sentence)


def checked(sentence: int, words: str, verdict: Verdict = Verdict.VERIFIED) -> CitationEvent:
    return CitationEvent("t", 1, None, Citation(sentence, words, verdict, 1.0, "", ()))


def end(words: str) -> TextEndEvent:
    return TextEndEvent("t", 1, None, words, (), "rules")


def sent(events: Sequence[TurnEvent]) -> list[str]:
    released = ReleasedText()
    return [released.after(event) for event in events]


def test_a_sentence_is_sent_once_it_is_checked() -> None:
    events = [text(1, "It "), text(1, "landed."), checked(1, "It landed."), end("It landed.")]
    assert sent(events) == ["", "", "It landed.", ""]


def test_a_heading_goes_along_with_the_sentence_below_it() -> None:
    events = [
        text(1, "**Fox** [1]"),
        text(2, "\n\nIt landed."),
        checked(2, "It landed."),
        end("**Fox** [1]\n\nIt landed."),
    ]
    assert sent(events) == ["", "", "**Fox** [1]\n\nIt landed.", ""]


def test_a_withdrawn_sentence_is_never_sent() -> None:
    events = [
        text(1, "It landed."),
        checked(1, "It landed."),
        text(2, " It flew home."),
        checked(2, "", Verdict.WITHDRAWN),
        text(3, " It dug."),
        checked(3, "It dug."),
        end("It landed. It dug."),
    ]
    assert "".join(sent(events)) == "It landed. It dug."


def test_a_changed_sentence_is_sent_as_it_was_changed() -> None:
    events = [text(1, "It landed in 1999."), checked(1, "It landed in 2008."), end("It landed in 2008.")]
    assert "".join(sent(events)) == "It landed in 2008."


def test_after_a_restart_the_text_goes_on_behind_what_was_sent() -> None:
    first_run = [text(1, "It landed."), checked(1, "It landed."), text(2, " It d")]
    second_run = [text(1, "It landed."), checked(1, "It landed."), text(2, " It dug."), checked(2, "It dug.")]
    events = [*first_run, RestartedEvent("t", 1, None), *second_run, end("It landed. It dug.")]
    assert "".join(sent(events)) == "It landed. It dug."


def test_what_is_not_checked_is_sent_at_the_end() -> None:
    assert sent([text(1, "Which one?"), end("Which one?")]) == ["", "Which one?"]


def test_a_text_without_pieces_is_sent_at_the_end() -> None:
    assert sent([end("That I do not answer.")]) == ["That I do not answer."]


def test_the_rest_follows_even_if_the_final_text_has_other_spaces() -> None:
    events = [text(1, "It landed.\n\n"), checked(1, "It landed."), text(2, "It dug."), end("It landed. It dug.")]
    assert "".join(sent(events)) == "It landed. It dug."
