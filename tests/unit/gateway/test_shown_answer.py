"""What a cancelled turn keeps of its answer: the sentences that were shown, as their checks left them."""

from gateway.events.events import Event, Restarted, State, TurnEvent
from gateway.events.shown_answer import shown_answer
from libs.contracts.answers import Answer, Citation, TextDelta
from libs.contracts.usage import Stage


def shown(*contents: TurnEvent) -> Answer | None:
    return shown_answer(Event("q", seq, content) for seq, content in enumerate(contents, start=1))


def test_sentences_are_kept_with_what_separates_them() -> None:
    checked = Citation(1)
    pieces = (TextDelta(1, 1, "It lan"), TextDelta(1, 1, "ded."), checked, TextDelta(2, 2, "\n\nThere it"))
    assert shown(*pieces) == Answer("It landed.\n\nThere it", (checked,))


def test_a_sentence_that_was_replaced_or_withdrawn_does_not_come_back() -> None:
    replaced, withdrawn = Citation(1, replacement="It rose."), Citation(2, replacement="")
    texts = [TextDelta(1, number, text) for number, text in enumerate(("It fell.", " It sank.", " It is."), start=1)]
    assert shown(*texts, replaced, withdrawn) == Answer("It rose. It is.", (replaced, withdrawn))


def test_what_a_new_run_made_void_is_forgotten() -> None:
    assert shown(TextDelta(1, 1, "It fell."), Citation(1), Restarted(), TextDelta(1, 1, "It")) == Answer("It")


def test_without_a_sentence_there_is_no_answer() -> None:
    assert shown(State(Stage.ANSWER, "writing")) is None
    assert shown(TextDelta(1, 1, "It fell."), Citation(1, replacement="")) is None
