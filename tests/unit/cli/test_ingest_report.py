"""What was read of each file and what was left out: in a line of JSON a file, at the end, and in the metadata."""

import json
from pathlib import Path
from typing import Any

from parley.retrieve.v1 import corpus_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.ingesting import answer

GOOD = "Größe und Länge sind gut.\n".encode()


def report_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_file_has_a_line_with_what_was_read_and_left_out(gateway: Any, parley: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_bytes(GOOD + b"5 \xe2\x82 each\n")
    (folder / "b.jsonl").write_text('{"id": "x", "text": "One."}\nnonsense\n{"id": "y", "text": "Two."}\n')
    (folder / "c.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "d.md").write_text("# D\n\nWhole.\n")
    result = parley("ingest", str(folder), "--report", str(tmp_path / "report.jsonl"))
    damaged, mixed, broken, whole = report_of(tmp_path / "report.jsonl")
    assert damaged == {
        "file": str(folder / "a.txt"),
        "documents": 1,
        "characters": len(GOOD.decode()) + len("5 \ufffd each"),
        "left_out": {"bytes that no charset fits": 1},
        "omissions": [
            {"reason": "bytes that no charset fits", "place": "line 2", "excerpt": "5 \ufffd each", "characters": 2}
        ],
        "error": "",
    }
    assert (mixed["documents"], mixed["characters"], mixed["error"]) == (2, 8, "")
    assert [(part["reason"], part["place"]) for part in mixed["omissions"]] == [("is not JSON", "line 2")]
    assert (broken["documents"], broken["omissions"]) == (0, [])
    assert broken["error"].startswith("cannot be read as")
    assert (whole["documents"], whole["left_out"], whole["error"]) == (1, {}, "")
    assert result.stdout.splitlines()[-1] == (
        f"1 file: 1 place with bytes that no charset fits; {tmp_path / 'report.jsonl'} tells more"
    )


def test_without_a_report_the_last_line_says_how_to_get_one(gateway: Any, parley: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(GOOD + b"5 \xe2\x82 each\n")
    result = parley("ingest", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert result.stdout.splitlines()[-1] == ("2 files: 2 places with bytes that no charset fits; --report tells more")
    assert dict(gateway.ingested[0].metadata) == {"left_out": "1 place with bytes that no charset fits"}


def test_a_document_that_the_suite_refuses_is_reported_as_not_stored(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A.")
    gateway.acknowledge = lambda document: answer(document, "FAILED", "QUOTA_EXCEEDED", "too much")
    parley("ingest", str(tmp_path / "a.txt"), "--report", str(tmp_path / "report.jsonl"))
    (line,) = report_of(tmp_path / "report.jsonl")
    assert (line["documents"], line["error"]) == (0, "too much (QUOTA_EXCEEDED)")


def test_a_report_that_cannot_be_written_stops_before_anything_is_sent(
    gateway: Any, parley: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("A.")
    result = parley("ingest", str(tmp_path / "a.txt"), "--report", str(tmp_path / "none" / "report.jsonl"))
    assert result.exit_code == 1
    assert "report.jsonl cannot be used" in result.stderr
    assert not gateway.ingested


def test_the_listing_tells_what_was_left_out(gateway: Any, parley: Run) -> None:
    gateway.pages = [[corpus_pb2.DocumentSummary(document_id="a", passages=1, metadata={"left_out": "1 hidden text"})]]
    headings, row = parley("documents").stdout.splitlines()
    assert headings.split("\t")[-1] == "left out"
    assert row.split("\t")[-1] == "1 hidden text"


def test_a_file_whose_name_is_no_text_has_its_line(gateway: Any, parley: Run, tmp_path: Path) -> None:
    odd = Path(f"{tmp_path}/\udce4.txt")
    odd.write_text("A.")
    (tmp_path / "b.txt").write_text("B.")
    parley("ingest", str(odd), str(tmp_path / "b.txt"), "--report", str(tmp_path / "report.jsonl"))
    lines = report_of(tmp_path / "report.jsonl")
    assert [line["file"] for line in lines] == [str(odd), str(tmp_path / "b.txt")]
