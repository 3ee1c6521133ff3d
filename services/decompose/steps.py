"""What condensing and planning give, step by step, with the field names of the stage's contract."""

from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.query import DecisionRecord, QueryGraph
from libs.contracts.usage import Degraded, Progress, Usage
from services.decompose.prepare_llm import PlanVerdict


@dataclass(frozen=True, slots=True)
class Condensed:
    """How the last turn stands alone."""

    record: DecisionRecord
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()
    graph: QueryGraph | None = None
    """Its sub-queries, where they were wanted and a language model was asked."""


@dataclass(frozen=True, slots=True)
class Planned:
    """The graph; the last step."""

    graph: QueryGraph
    usage: tuple[Usage, ...] = ()


Step: TypeAlias = Progress | Degraded | Planned
CondenseStep: TypeAlias = DecisionRecord | PlanVerdict | QueryGraph | Condensed
"""A `DecisionRecord` by itself is the rules', while a language model is asked; a `QueryGraph` has the sub-queries that
it has planned, while it still words the question."""
