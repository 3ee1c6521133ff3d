"""The parts into which a question is split. Plain values; nothing is raised."""

from dataclasses import dataclass

from libs.contracts.query import FunctionCall
from libs.graph.placeholders import named_in


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One sub-query; "#1" in its text or arguments stands for the first part's answer."""

    text: str
    function: FunctionCall | None = None
    """The function that computes it, if it isn't searched."""
    leans: bool = False
    """Whether the words of the whole question are searched beside its own even if it waits for an answer."""

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The numbers, from 1, of the parts whose answers it needs."""
        arguments = self.function.arguments if self.function else ()
        return tuple(sorted({int(name) for text in (self.text, *arguments) for name in named_in(text)}))


@dataclass(frozen=True, slots=True)
class Split:
    """The sub-queries, each after those that it waits for, and the reason for the split."""

    parts: tuple[PlanPart, ...]
    reason: str
