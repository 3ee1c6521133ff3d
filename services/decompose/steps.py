"""The steps that condensing and planning yield, with the field names of the stage's contract."""

from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.usage import Degraded, Progress, Usage
from services.decompose.prepare_llm import PlanVerdict


@dataclass(frozen=True, slots=True)
class Condensed:
    """The result of condensing the last turn."""

    record: DecisionRecord
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()
    graph: QueryGraph | None = None
    """Its sub-queries, if they were requested and a language model was asked."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The graph; the last step."""

    graph: QueryGraph
    usage: tuple[Usage, ...] = ()


Step: TypeAlias = Progress | Degraded | Planned
CondenseStep: TypeAlias = DecisionRecord | PlanVerdict | QueryGraph | Condensed
"""A `DecisionRecord` is the rules' record, sent while a language model is asked. A `QueryGraph` holds the sub-queries
that the model has planned, sent while it still writes the standalone question."""
