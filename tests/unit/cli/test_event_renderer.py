"""Parts of an answer that do not stand where they come: pictures, timelines and citations that come again, restarts."""

from typing import Any

from typer.testing import Result

from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import ANSWERED, REFERENCES, bare, on_terminal, turn

END = next(position for position, step in enumerate(ANSWERED) if "text_end" in step)
EVENT = {"event_id": "e1", "text": "A signal came.", "start": {"year": 2008, "month": 11, "day": 3}}
PLAIN: dict[str, Any] = {"timeline": {"events": [EVENT]}}
REASON = "The answer (sentence 1) says '2 November 2008', the timeline '3 November 2008'."
MARKED: dict[str, Any] = {
    "timeline": {"events": [EVENT], "conflicts": [{"event_ids": ["e1"], "reason": REASON, "sentence": 1}]}
}
DOUBTED: dict[str, Any] = {
    "citation": {
        "sentence": 1,
        "verdict": "VERDICT_WEAK",
        "reason": "The timeline dates this otherwise.",
        "references": [{"number": 1}],
    }
}
TOLD = "citation: sentence 1 weak [1]: The timeline dates this otherwise."
IMAGE: dict[str, Any] = {
    "image": {
        "paragraph": 1,
        "image": {"image_id": "phoenix/2", "caption": "The lander on the ice\x1b[31m"},
        "document_id": "phoenix",
        "score": 0.624,
        "compared_by": "COMPARED_BY_CAPTION",
    }
}
WITH_PICTURE = [*ANSWERED[:END], IMAGE, *ANSWERED[END:]]


def picture_line(result: Result) -> str:
    (line,) = [line for line in result.output.splitlines() if line.startswith("picture:")]
    return line


def test_a_pipe_gets_its_caption_its_document_and_the_paragraph(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*WITH_PICTURE)]
    assert picture_line(parley("ask", "When?")) == (
        "picture: The lander on the ice [31m (phoenix) beside “The last signal was received on 2 November …”"
    )


def test_verbose_tells_its_id_and_how_it_was_compared(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*WITH_PICTURE)]
    assert picture_line(parley("ask", "When?", "-v")).endswith(" (phoenix/2, paragraph 1, 0.62 by caption)")


def test_a_terminal_gets_it_between_the_answer_and_its_references() -> None:
    output = bare(on_terminal(*WITH_PICTURE[WITH_PICTURE.index(REFERENCES) :], width=200))
    assert "\n\n▣ The lander on the ice" in output
    assert output.index("[1]") < output.index("▣") < output.rindex("[1]")


def test_before_the_text_ends_only_the_later_ones_are_told(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(PLAIN, *ANSWERED[:END], MARKED, DOUBTED, *ANSWERED[END:])]
    lines = parley("ask", "When?", "--verbose").output.splitlines()
    assert [line for line in lines if "sentence 1" in line] == [TOLD, f"conflict: {REASON}"]
    assert sum("A signal came." in line for line in lines) == 1


def test_after_the_text_a_citation_is_told_by_itself(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*ANSWERED, MARKED, DOUBTED)]
    lines = parley("ask", "When?", "--verbose").output.splitlines()
    assert [line for line in lines if "sentence 1" in line] == [
        "citation: sentence 1 verified by [1]",
        f"conflict: {REASON}",
        TOLD,
    ]


def test_a_restarted_turn_is_told_anew(gateway: Any, parley: Run) -> None:
    begun = [step for step in ANSWERED if step.keys() & {"references", "text", "citation"}][:4]
    gateway.turns = [turn(*begun, {"restarted": {}}, *ANSWERED), turn(*ANSWERED)]
    again, once = parley("ask", "When?").output, parley("ask", "When?").output
    restart = "restarted: the gateway went down; the answer is written anew:"
    first_run = f"The last signal was received on 2 November 2008 [1].\n\n{restart}\n\n"
    assert again == first_run + once
