"""An answer's sources: a line a number, with the section, the page and where the document stands."""

from typing import Any

import pytest

from cli.ask.event_descriptions import SourceLine, numbers_of_passages, sources_of
from parley.context.v1 import answer_pb2, evidence_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import TEXT, WHOLE, turn


def reference(number: int, passage_id: str, **fields: Any) -> evidence_pb2.Reference:
    passage = evidence_pb2.Passage(passage_id=passage_id, document_id=passage_id.partition("#")[0], **fields)
    return evidence_pb2.Reference(number=number, evidence=evidence_pb2.Evidence(passage=passage))


CITED = (
    ("handbook.pdf#4", ""),
    ("handbook.pdf#2", ""),
    ("prices.xlsx#2", "Prices!A5:D5"),
    ("prices.xlsx#2", "Prices!A5:D5"),
    ("prices.xlsx#4", "Prices!A9:D9"),
)
LEAVE: dict[str, Any] = {"title": "Handbook", "headings": ["Leave", "Sick leave"]}


@pytest.mark.parametrize(
    ("references", "expected"),
    [
        (
            [reference(1, "handbook.pdf#4", page=12, url="https://example.org/handbook", date="2024", **LEAVE)],
            SourceLine(1, "Handbook › Leave › Sick leave, p. 12", "https://example.org/handbook"),
        ),
        (
            [reference(1, f"handbook.pdf#{number}", page=number + 10, **LEAVE) for number in (4, 3, 2)],
            SourceLine(1, "Handbook › Leave › Sick leave, pp. 12, 14", "handbook.pdf"),
        ),
        (
            [reference(1, f"prices.xlsx#{number}", cells="Prices!A2:D40") for number in (2, 4)],
            SourceLine(1, "prices.xlsx, Prices!A5:D5, Prices!A9:D9", ""),
        ),
        ([reference(1, "notes.txt#0"), reference(2, "b#0", title="not cited")], SourceLine(1, "notes.txt", "")),
    ],
    ids=["with an address", "several pages", "cells of a sheet", "without a title"],
)
def test_a_source_tells_the_section_the_cited_pages_or_cells_and_the_origin(
    references: list[evidence_pb2.Reference], expected: SourceLine
) -> None:
    spans = [answer_pb2.CitedSpan(passage_id=name, cells=cells) for name, cells in CITED]
    assert sources_of(references, {1, 7}, spans, with_dates=False) == [expected]


def test_passages_go_by_the_numbers_of_their_references() -> None:
    references = [reference(1, "a#0", **LEAVE), reference(1, "a#1", **LEAVE), reference(2, "b#0")]
    references[0].evidence.near_duplicates.add().passage.passage_id = "c#0"
    assert numbers_of_passages(references) == {"a#0": 1, "a#1": 1, "b#0": 2, "c#0": 1}


def test_later_references_replace_the_earlier_ones(gateway: Any, parley: Run) -> None:
    def told(number: int, name: str) -> dict[str, Any]:
        return {"number": number, "evidence": {"passage": {"passage_id": name, "document_id": name}}}

    first = {"references": {"references": [told(1, "spirit"), told(2, "phoenix")]}}
    second = {"references": {"references": [told(1, "phoenix"), told(2, "spirit")]}}
    gateway.turns = [turn(first, second, *TEXT, {"text_end": {"text": WHOLE}})]
    assert parley("ask", "When?").stdout == f"{WHOLE}\n\n[1] phoenix\n"
