"""The chaos matrix: what a call ends with while a part fails. The tests try each cell; the documentation prints it.

A cell is a status and its reason, or the outcome of a turn and what it says is `degraded`. `|` separates what it may
be: which of them depends on how far the turn was when the fault came.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.hostile.chaos.faults import Fault

Cells = Mapping[tuple[str, Fault], str]

ANSWERED: Final = "ANSWERED"
STORED: Final = "OK"
LATE: Final = "DEADLINE_EXCEEDED (DEADLINE_EXCEEDED)"
GONE: Final = "UNAVAILABLE (STAGE_UNAVAILABLE)"
FAILED: Final = "UNAVAILABLE (STAGE_FAILED)"
ENGINE_GONE: Final = "UNAVAILABLE (ENGINE_UNAVAILABLE)"
NO_SPACE: Final = "RESOURCE_EXHAUSTED (STORAGE_FULL) | UNAVAILABLE (ENGINE_UNAVAILABLE)"
"""The second one if the system says that writing failed, and not that the disk is full."""
INGEST: Final = ", ingest"
"""Ends the name of a row whose call stores a document; the others are turns."""


def without(*reports: str) -> str:
    """An answered turn that names what was degraded."""
    return f"{ANSWERED}; degraded: {', '.join(reports)}"


def _of_needed(stage: str) -> dict[tuple[str, Fault], str]:
    gone = {(stage, fault): GONE for fault in (Fault.DOWN, Fault.CUT, Fault.GARBAGE)}
    failed = {(stage, fault): FAILED for fault in (Fault.WRONG, Fault.EMPTY)}
    return {**gone, **failed, (stage, Fault.SLOW): ANSWERED, (stage, Fault.HANG): LATE}


def _of_optional(stage: str) -> dict[tuple[str, Fault], str]:
    gone = {(stage, fault): without(f"{stage} STAGE_UNAVAILABLE") for fault in (Fault.DOWN, Fault.CUT, Fault.GARBAGE)}
    failed = {(stage, fault): without(f"{stage} STAGE_FAILED") for fault in (Fault.WRONG, Fault.EMPTY)}
    late = without(f"{stage} DEADLINE_EXCEEDED")
    return {**gone, **failed, (stage, Fault.SLOW): ANSWERED, (stage, Fault.HANG): late}


_NO_MODEL: Final = without("answer LLM_UNAVAILABLE")
_LATE_MODEL: Final = without("answer LLM_TOO_SLOW")
_WITHOUT_FOLLOW_UPS: Final = without("answer LLM_TOO_SLOW", "retrieve DEADLINE_EXCEEDED")
STAGE_CELLS: Final[Cells] = {
    **_of_needed("intent"),
    **_of_optional("decompose"),
    **_of_needed("retrieve"),
    ("retrieve", Fault.FULL): ANSWERED,
    **_of_needed("answer"),
    **_of_optional("timeline"),
    ("model", Fault.DOWN): _NO_MODEL,
    ("model", Fault.SLOW): ANSWERED,
    ("model", Fault.HANG): f"{_LATE_MODEL} | {_WITHOUT_FOLLOW_UPS}",
    ("model", Fault.CUT): _NO_MODEL,
    ("model", Fault.GARBAGE): _NO_MODEL,
    ("model", Fault.WRONG): _NO_MODEL,
    ("model", Fault.EMPTY): _NO_MODEL,
    ("gateway", Fault.FULL): NO_SPACE,
    ("retrieve" + INGEST, Fault.DOWN): GONE,
    ("retrieve" + INGEST, Fault.SLOW): STORED,
    ("retrieve" + INGEST, Fault.HANG): LATE,
    ("retrieve" + INGEST, Fault.CUT): GONE,
    ("retrieve" + INGEST, Fault.GARBAGE): GONE,
    ("retrieve" + INGEST, Fault.WRONG): FAILED,
    ("retrieve" + INGEST, Fault.FULL): NO_SPACE,
}
_LEFT_OUT: Final = without("retrieve ENGINE_UNAVAILABLE")
_SEARCHING: Final = ("Elasticsearch", "Milvus")
ENGINE_CELLS: Final[Cells] = {
    **{("PostgreSQL", fault): ENGINE_GONE for fault in (Fault.DOWN, Fault.CUT, Fault.GARBAGE)},
    ("PostgreSQL", Fault.SLOW): ANSWERED,
    ("PostgreSQL", Fault.HANG): LATE,
    ("PostgreSQL", Fault.FULL): ANSWERED,
    **{("PostgreSQL" + INGEST, fault): ENGINE_GONE for fault in (Fault.DOWN, Fault.CUT, Fault.GARBAGE)},
    ("PostgreSQL" + INGEST, Fault.SLOW): f"{STORED} | {LATE}",
    ("PostgreSQL" + INGEST, Fault.HANG): LATE,
    ("PostgreSQL" + INGEST, Fault.FULL): f"{ENGINE_GONE} | {LATE}",
    **{
        (engine, fault): _LEFT_OUT
        for engine in _SEARCHING
        for fault in (Fault.DOWN, Fault.HANG, Fault.CUT, Fault.GARBAGE, Fault.WRONG, Fault.EMPTY)
    },
    **{(engine, Fault.SLOW): f"{ANSWERED} | {_LEFT_OUT}" for engine in _SEARCHING},
    **{(engine, Fault.FULL): f"{ANSWERED} | {_LEFT_OUT}" for engine in _SEARCHING},
    **{(engine + INGEST, fault): STORED for engine in _SEARCHING for fault in Fault},
}
PAGE: Final = Path(__file__).parents[3] / "docs" / "explanation" / "failures.md"
BEGIN: Final = "<!-- matrix -->\n"
END: Final = "<!-- end of the matrix -->\n"


def table() -> str:
    """The matrix as Markdown."""
    cells = {**STAGE_CELLS, **ENGINE_CELLS}
    lines = ["| Part | " + " | ".join(fault.value for fault in Fault) + " |", "|---" * (len(Fault) + 1) + "|"]
    for part in dict.fromkeys(part for part, _ in cells):
        words = (_as_markdown(cells.get((part, fault), "")) for fault in Fault)
        lines.append(f"| {part} | " + " | ".join(words) + " |")
    return "\n".join(lines) + "\n"


def _as_markdown(cell: str) -> str:
    if cell.startswith(LATE):
        cell = cell.replace(LATE, "DEADLINE_EXCEEDED")
    words = cell.replace(ANSWERED, "answered").replace(STORED, "stored")
    return words.replace(" | ", " or ")


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
