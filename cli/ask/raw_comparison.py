"""Compares a turn asked with its raw words and the same turn asked as usual.

Each side is a conversation of its own, so that the answers of one never become the history of the other.
"""

from dataclasses import dataclass, field
from typing import Final

from cli.ask import event_descriptions
from cli.ask.reference_sources import place_of
from cli.view.output import tell_table
from parley.context.v1 import evidence_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2

RAW_SUFFIX: Final = ".raw"
"""Appended to the session id for the raw side."""
FIRST_REFERENCES: Final = 3
RAW_HEADING: Final = "with the raw words"


def raw_side(request: gateway_pb2.AskRequest) -> gateway_pb2.AskRequest:
    """Return the request with the raw words alone, in a session beside the original one."""
    raw = gateway_pb2.AskRequest()
    raw.CopyFrom(request)
    raw.options.strategy = query_pb2.STRATEGY_LAST_TURN
    if raw.session_id:
        raw.session_id += RAW_SUFFIX
    return raw


@dataclass(slots=True)
class TurnSide:
    """One side of the comparison: collects the events of a turn."""

    record: query_pb2.DecisionRecord = field(default_factory=query_pb2.DecisionRecord)
    references: list[evidence_pb2.Reference] = field(default_factory=list)
    answer: str = ""
    outcome: str = ""
    degraded: list[str] = field(default_factory=list)

    def show(self, event: event_pb2.Event) -> None:
        """Record an event; ignore events that the comparison does not show."""
        kind = event.WhichOneof("event")
        if kind == "condensed":
            self.record = event.condensed
        elif kind == "references":
            self.references = list(event.references.references)
        elif kind == "text_end":
            self.answer = event.text_end.text
        elif kind == "degraded":
            self.degraded.append(event_descriptions.degraded(event.degraded))
        elif kind == "completed":
            self.outcome = event_descriptions.outcome(event.completed)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def print_comparison(raw: TurnSide, usual: TurnSide) -> None:
    """Print both sides as a table: aligned columns on a terminal, tab-separated lines in a pipe."""
    strategy = query_pb2.Strategy.Name(usual.record.strategy).removeprefix("STRATEGY_")
    headings = ("", RAW_HEADING, strategy.replace("_", "-").lower())
    rows = zip(_labels(), _cells(raw), _cells(usual), strict=True)
    tell_table(headings, [row for row in rows if any(row[1:])])


def _labels() -> tuple[str, ...]:
    places = (f"found {place}" for place in range(1, FIRST_REFERENCES + 1))
    return ("condensed", "searched by", *places, "answer", "degraded", "outcome")


def _cells(side: TurnSide) -> tuple[str, ...]:
    references = [_reference(reference) for reference in side.references[:FIRST_REFERENCES]]
    references += [""] * (FIRST_REFERENCES - len(references))
    query, degraded = event_descriptions.searched_by(side.record), "; ".join(side.degraded)
    return (event_descriptions.condensed(side.record), query, *references, side.answer, degraded, side.outcome)


def _reference(reference: evidence_pb2.Reference) -> str:
    return f"[{reference.number}] {place_of(reference.evidence.passage)}"
