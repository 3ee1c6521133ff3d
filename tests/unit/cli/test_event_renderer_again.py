"""What the timeline dates otherwise than the answer comes again, marked: it is told once, with its mark."""

from collections.abc import Callable
from typing import Any

from typer.testing import Result

from tests.unit.cli.turn_events import ANSWERED, turn

Run = Callable[..., Result]
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


def test_before_the_text_ends_only_the_later_ones_are_told(gateway: Any, parley: Run) -> None:
    end = next(position for position, step in enumerate(ANSWERED) if "text_end" in step)
    before, after = ANSWERED[:end], ANSWERED[end:]
    gateway.turns = [turn(PLAIN, *before, MARKED, DOUBTED, *after)]
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
    begun = [step for step in ANSWERED if "references" in step or "text" in step][:2]
    gateway.turns = [turn(*begun, {"restarted": {}}, *ANSWERED), turn(*ANSWERED)]
    again, once = parley("ask", "When?").output, parley("ask", "When?").output
    first_run = "The last signal was received\n\nrestarted: the gateway went down; the answer is written anew:\n\n"
    assert again == first_run + once
