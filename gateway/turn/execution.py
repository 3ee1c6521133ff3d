"""The results of running a graph of sub-queries."""

from dataclasses import dataclass, field

from libs.contracts.answers import CitedSpan
from libs.contracts.stages.retrieve import RetrieveResult
from libs.runtime.errors import ParleyError


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """A short answer of a node, extracted or computed; a computed one has no source."""

    answer: str
    source: CitedSpan | None = None


@dataclass(slots=True)
class Execution:
    """The results of the nodes, by node id."""

    texts: dict[str, str] = field(default_factory=dict)
    """The sub-queries as they were asked, with the parents' answers filled in."""
    results: dict[str, RetrieveResult] = field(default_factory=dict)
    answers: dict[str, NodeAnswer] = field(default_factory=dict)
    failures: dict[str, ParleyError] = field(default_factory=dict)
