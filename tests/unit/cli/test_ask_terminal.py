"""What a turn looks like on a terminal."""

from tests.unit.cli.turn_events import ANSWERED, REFERENCES, TEXT, TIMELINE, WHOLE, bare, on_terminal


def test_a_terminal_gets_the_sources_below_the_answer() -> None:
    output = on_terminal(REFERENCES, *TEXT, {"text_end": {"text": WHOLE}})
    assert "\x1b[1;36m[1]\x1b[0m" in output
    assert bare(output).endswith("\n\n[1] Phoenix — https://example.org/phoenix\n")
    assert "condensed" not in on_terminal(*ANSWERED)


def test_a_source_that_is_wider_than_the_terminal_hangs_below_its_number() -> None:
    lines = bare(on_terminal(*ANSWERED, width=32)).splitlines()
    assert lines[-2:] == ["[1] Phoenix —", "    https://example.org/phoenix"]


def test_a_terminal_gets_the_timeline_drawn_along_a_line() -> None:
    lines = bare(on_terminal(REFERENCES, TIMELINE, *TEXT, {"text_end": {"text": WHOLE}}, width=32)).splitlines()
    start = lines.index("Timeline by month")
    assert lines[start - 1 : start + 8] == [
        "",
        "Timeline by month",
        "    2007-08 ○ Phoenix was",
        "            │ launched.",
        "            │ (elsewhere)",
        " 2008-05-25 ● Phoenix landed. [1]",
        "",
        "conflict: two launch days are",
        "told",
    ]


def test_markup_in_a_document_is_no_markup() -> None:
    text = "A [bold]plain[/bold] word."
    output = on_terminal({"text": {"paragraph": 1, "sentence": 1, "delta": text}}, {"text_end": {"text": text}})
    assert text in bare(output)


def test_a_terminal_shows_what_goes_on_until_there_is_text() -> None:
    begins = {"state": {"stage": "STAGE_RETRIEVE", "activity": "searching"}}
    ends = {"state": {"stage": "STAGE_RETRIEVE", "activity": "searching through", "done": True}}
    late = {"state": {"stage": "STAGE_ANSWER", "activity": "checking the answer"}}
    output = on_terminal(begins, ends, REFERENCES, *TEXT, late, {"text_end": {"text": WHOLE}})
    assert "searching" in output
    assert "searching through" not in output
    assert "checking the answer" not in output
    assert bare(output).endswith("\n\n[1] Phoenix — https://example.org/phoenix\n")
