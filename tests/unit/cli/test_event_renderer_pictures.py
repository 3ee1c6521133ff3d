"""A picture is told below the text, with the paragraph that it stands beside."""

import json
from collections.abc import Callable
from typing import Any

from typer.testing import Result

from tests.unit.cli.turn_events import ANSWERED, REFERENCES, bare, on_terminal, turn

Run = Callable[..., Result]
IMAGE: dict[str, Any] = {
    "image": {
        "paragraph": 1,
        "image": {"image_id": "phoenix/2", "caption": "The lander on the ice\x1b[31m"},
        "document_id": "phoenix",
        "score": 0.624,
        "compared_by": "COMPARED_BY_CAPTION",
    }
}


def with_picture() -> list[dict[str, Any]]:
    end = next(position for position, step in enumerate(ANSWERED) if "text_end" in step)
    return [*ANSWERED[:end], IMAGE, *ANSWERED[end:]]


def picture_line(result: Result) -> str:
    (line,) = [line for line in result.output.splitlines() if line.startswith("picture:")]
    return line


def test_a_pipe_gets_its_caption_its_document_and_the_paragraph(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*with_picture())]
    assert picture_line(parley("ask", "When?")) == (
        "picture: The lander on the ice [31m (phoenix) beside “The last signal was received on 2 November …”"
    )


def test_verbose_tells_its_id_and_how_it_was_compared(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*with_picture())]
    assert picture_line(parley("ask", "When?", "-v")).endswith(" (phoenix/2, paragraph 1, 0.62 by caption)")


def test_json_has_the_whole_event(gateway: Any, parley: Run) -> None:
    gateway.turns = [turn(*with_picture())]
    events = [json.loads(line) for line in parley("ask", "When?", "--json").output.splitlines()]
    (image,) = [event["image"] for event in events if "image" in event]
    assert (image["paragraph"], image["image"]["image_id"]) == (1, "phoenix/2")
    assert image["compared_by"] == "COMPARED_BY_CAPTION"


def test_a_terminal_gets_it_between_the_answer_and_its_references() -> None:
    output = bare(on_terminal(*with_picture()[with_picture().index(REFERENCES) :], width=200))
    assert "\n\n▣ The lander on the ice" in output
    assert output.index("[1]") < output.index("▣") < output.rindex("[1]")
