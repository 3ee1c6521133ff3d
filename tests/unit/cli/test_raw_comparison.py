"""`parley ask --contrast`: the raw words and the default, side by side, each in a conversation of its own."""

from pathlib import Path
from typing import Any

import pytest

from parley.context.v1 import query_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.turn_events import turn

RAW_QUERY = {"text": "What about damaged items?"}
WEIGHTED_QUERY = {
    **RAW_QUERY,
    "terms": [{"term": "refund", "weight": 0.4}],
    "texts": [{"text": "The refund window is 30 days.", "weight": 0.5}],
}


def searched(strategy: str, query: dict[str, Any], first: str, session: str) -> list[Any]:
    """A turn that found `first`."""
    record = {
        "decision": "DECISION_CONDENSE",
        "raw": "What about damaged items?",
        "standalone": "refund policy for damaged items",
        "reason": "it asks about another case",
        "query": query,
        "strategy": strategy,
        "engine": "rules",
    }
    reference = {"number": 1, "evidence": {"passage": {"passage_id": "p", "document_id": "d", "title": first}}}
    happenings: list[dict[str, Any]] = [
        {"condensed": record},
        {"references": {"references": [reference]}},
        {"text_end": {"text": f"{first}.[1]"}},
    ]
    return turn(*happenings, session=session)


def both(session: str = "s") -> list[list[Any]]:
    raw = searched("STRATEGY_LAST_TURN", RAW_QUERY, "Damage by misuse", f"{session}.raw")
    return [raw, searched("STRATEGY_WEIGHTED", WEIGHTED_QUERY, "Goods that arrive damaged", session)]


def test_both_ways_stand_beside_each_other_in_a_pipe(gateway: Any, parley: Run) -> None:
    gateway.turns = both()
    result = parley("ask", "What about damaged items?", "--contrast")
    assert result.exit_code == 0
    question, *rows = result.stdout.splitlines()
    assert question == "> What about damaged items?"
    cells = {row.split("\t")[0]: tuple(row.split("\t")[1:]) for row in rows}
    assert cells[""] == ("with the raw words", "weighted")
    assert cells["found 1"] == ("[1] Damage by misuse", "[1] Goods that arrive damaged")
    assert cells["answer"] == ("Damage by misuse.[1]", "Goods that arrive damaged.[1]")
    assert cells["searched by"] == (
        "“What about damaged items?”",
        "“What about damaged items?” + refund x0.4 + the vectors of 1 text",
    )
    assert "degraded" not in cells


def test_both_ways_are_columns_on_a_terminal(gateway: Any, parley: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    gateway.turns = both()
    monkeypatch.setattr("cli.view.output.to_terminal", lambda: True)
    result = parley("ask", "What about damaged items?", "--contrast")
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("found 1")]
    assert line.index("Damage by misuse") < line.index("Goods that arrive damaged")
    assert "\t" not in result.stdout


def test_a_named_session_has_another_beside_it_for_the_raw_words(gateway: Any, parley: Run) -> None:
    gateway.turns = both("refunds")
    assert parley("ask", "What about it?", "--contrast", "--session", "refunds").exit_code == 0
    raw, usual = gateway.asked
    assert (raw.session_id, raw.options.strategy) == ("refunds.raw", query_pb2.STRATEGY_LAST_TURN)
    assert (usual.session_id, usual.options.strategy) == ("refunds", query_pb2.STRATEGY_UNSPECIFIED)


def test_the_turns_of_a_file_stay_in_a_conversation_each(gateway: Any, parley: Run, tmp_path: Path) -> None:
    gateway.turns = [*both("made"), *both("made")]
    file = tmp_path / "turns.jsonl"
    file.write_text('{"question": "What\'s our refund window?"}\n{"question": "What about damaged items?"}\n')
    result = parley("ask", "--conversation", str(file), "--contrast", "--strategy", "ladder")
    assert result.exit_code == 0
    assert [request.session_id for request in gateway.asked] == ["", "", "made.raw", "made"]
    assert [request.options.strategy for request in gateway.asked[2:]] == [
        query_pb2.STRATEGY_LAST_TURN,
        query_pb2.STRATEGY_LADDER,
    ]


def test_side_by_side_has_no_json(gateway: Any, parley: Run) -> None:
    result = parley("ask", "When?", "--contrast", "--json")
    assert result.exit_code == 1
    assert "--contrast" in result.stderr
    assert gateway.asked == []
