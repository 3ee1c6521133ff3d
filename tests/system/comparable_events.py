"""The events of a turn in the form in which two runs of it are compared.

Events are grouped by kind, each kind in its order, because independent kinds overtake one another; those of sub-queries
and of what was left out, and the sub-queries that found a passage, are sorted for the same reason. Ignored are `state`
(progress, with times), `usage`, ids and moments of this one run, and the order numbers. Numbers are rounded to six
digits, since a model computes slightly different ones in batches of other sizes.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

Events = Sequence[Mapping[str, Any]]

PASSED_OVER = frozenset({"state", "usage"})
"""Kinds of events that tell of time and effort."""
UNORDERED = frozenset({"sub_query", "degraded"})
"""Kinds of events whose order is that in which sub-queries happened to end."""
FOUND_BY = "nodes"
"""The field of evidence with the sub-queries that found it, in that order, too."""
VOLATILE = frozenset({"turn_id", "seq", "session_id", "question_id", "context", "asked_at", "milliseconds"})
"""Names of fields that no two runs share."""
DIGITS = 6  # taste


def comparable(events: Events) -> dict[str, list[Any]]:
    """The events by kind."""
    by_kind: dict[str, list[Any]] = {}
    for event in events:
        for kind, value in event.items():
            if kind not in PASSED_OVER | VOLATILE:
                by_kind.setdefault(kind, []).append(_stable(value))
    for kind in UNORDERED & by_kind.keys():
        by_kind[kind].sort(key=_order)
    return by_kind


def _order(value: Any) -> tuple[str, ...]:
    """By the fields that say what an event is about, before its wording."""
    about = (str(value.get(name, "")) for name in ("node_id", "status", "stage", "reason"))
    return (*about, json.dumps(value, sort_keys=True))


def _stable(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _stable(item, name) for name, item in value.items() if name not in VOLATILE}
    if isinstance(value, list):
        items = [_stable(item) for item in value]
        return sorted(items) if name == FOUND_BY and all(isinstance(item, str) for item in items) else items
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
