"""Compares a turn asked with its raw words and the same turn asked as usual.

Each side is a conversation of its own, so that the answers of one never become the history of the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from cli.ask import details
from cli.ask.event_descriptions import place_of
from cli.view.output import enum_word, tell_table
from parley.context.v1 import evidence_pb2, query_pb2
from parley.gateway.v1 import event_pb2

RAW_SUFFIX: Final = ".raw"
"""Appended to the session id for the raw side."""
FIRST_REFERENCES: Final = 3  # that are compared (taste)
RAW_HEADING: Final = "with the raw words"


@dataclass(slots=True)
class TurnSide:
    """One side of the comparison: collects the events of a turn."""

    record: query_pb2.DecisionRecord = field(default_factory=query_pb2.DecisionRecord)
    references: list[evidence_pb2.Reference] = field(default_factory=list)
    answer: str = ""
    outcome: str = ""
    degraded: list[str] = field(default_factory=list)

    def keep(self, events: Iterable[event_pb2.Event]) -> None:
        """Keep what the comparison shows of the turn's events."""
        for event in events:
            match event.WhichOneof("event"):
                case "condensed":
                    self.record = event.condensed
                case "references":
                    self.references = list(event.references.references)
                case "text_end":
                    self.answer = event.text_end.text
                case "degraded":
                    self.degraded.append(details.degraded(event.degraded))
                case "completed":
                    self.outcome = details.outcome(event.completed)


def print_comparison(raw: TurnSide, usual: TurnSide) -> None:
    """Print both sides as a table: aligned columns on a terminal, tab-separated lines in a pipe."""
    places = (f"found {place}" for place in range(1, FIRST_REFERENCES + 1))
    labels = ("condensed", "searched by", *places, "answer", "degraded", "outcome")
    headings = ("", RAW_HEADING, enum_word(usual.record, "strategy").replace(" ", "-"))
    rows = zip(labels, _cells(raw), _cells(usual), strict=True)
    tell_table(headings, [row for row in rows if any(row[1:])])


def _cells(side: TurnSide) -> tuple[str, ...]:
    first = side.references[:FIRST_REFERENCES]
    found = [f"[{reference.number}] {place_of(reference.evidence.passage)}" for reference in first]
    found += [""] * (FIRST_REFERENCES - len(found))
    query, degraded = details.searched_by(side.record), "; ".join(side.degraded)
    return (details.condensed(side.record), query, *found, side.answer, degraded, side.outcome)
