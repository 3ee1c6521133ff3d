"""What understanding a conversation changes: a turn asked with its raw words beside the same turn asked as usual.

Each side is a conversation of its own, so that the answers of one are never the history of the other.
"""

from dataclasses import dataclass, field
from typing import Final

from cli.ask import wording
from cli.ask.sourcing import place_of
from cli.output import tell_table
from parley.context.v1 import evidence_pb2, query_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2

RAW_SUFFIX: Final = ".raw"
"""What the raw side's session is called beside the named one."""
FIRST_REFERENCES: Final = 3
RAW_HEADING: Final = "with the raw words"


def raw_side(request: gateway_pb2.AskRequest) -> gateway_pb2.AskRequest:
    """The request with the raw words alone, in a session beside the one that is named."""
    raw = gateway_pb2.AskRequest()
    raw.CopyFrom(request)
    raw.options.strategy = query_pb2.STRATEGY_LAST_TURN
    if raw.session_id:
        raw.session_id += RAW_SUFFIX
    return raw


@dataclass(slots=True)
class Side:
    """One way of asking: gathers the events of a turn and tells them when it is over."""

    record: query_pb2.DecisionRecord = field(default_factory=query_pb2.DecisionRecord)
    references: list[evidence_pb2.Reference] = field(default_factory=list)
    answer: str = ""
    outcome: str = ""
    degraded: list[str] = field(default_factory=list)

    def show(self, event: event_pb2.Event) -> None:
        """The next event; those that the comparison does not tell are passed over."""
        kind = event.WhichOneof("event")
        if kind == "condensed":
            self.record = event.condensed
        elif kind == "references":
            self.references = list(event.references.references)
        elif kind == "text_end":
            self.answer = event.text_end.text
        elif kind == "degraded":
            self.degraded.append(wording.degraded(event.degraded))
        elif kind == "completed":
            self.outcome = wording.outcome(event.completed)

    def close(self) -> None:
        """Nothing is left open."""


def tell_contrast(raw: Side, usual: Side) -> None:
    """Both sides as a table: on a terminal two columns, into a pipe a line a row with tabs between."""
    strategy = query_pb2.Strategy.Name(usual.record.strategy).removeprefix("STRATEGY_")
    headings = ("", RAW_HEADING, strategy.replace("_", "-").lower())
    rows = zip(_labels(), _cells(raw), _cells(usual), strict=True)
    tell_table(headings, [row for row in rows if any(row[1:])])


def _labels() -> tuple[str, ...]:
    places = (f"found {place}" for place in range(1, FIRST_REFERENCES + 1))
    return ("condensed", "searched by", *places, "answer", "degraded", "outcome")


def _cells(side: Side) -> tuple[str, ...]:
    found = [_reference(reference) for reference in side.references[:FIRST_REFERENCES]]
    found += [""] * (FIRST_REFERENCES - len(found))
    searched, degraded = wording.searched_by(side.record), "; ".join(side.degraded)
    return (wording.condensed(side.record), searched, *found, side.answer, degraded, side.outcome)


def _reference(reference: evidence_pb2.Reference) -> str:
    return f"[{reference.number}] {place_of(reference.evidence.passage)}"
