"""What a question is split into, and the sheet on which a rule writes it down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from libs.contracts.query import FunctionCall
from libs.graph.placeholders import named_in


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-query; "#1" in its text or arguments stands for the first part's answer."""

    text: str
    function: FunctionCall | None = None
    """What computes it, where it isn't searched."""

    @property
    def waits_for(self) -> tuple[int, ...]:
        """Numbers, from 1, of the parts whose answers it needs."""
        arguments = self.function.arguments if self.function else ()
        return tuple(sorted({int(name) for text in (self.text, *arguments) for name in named_in(text)}))


@dataclass(frozen=True, slots=True)
class Split:
    """The sub-queries, each after those that it waits for, and why the question was split so."""

    parts: tuple[Part, ...]
    reason: str

    @classmethod
    def side_by_side(cls, texts: Sequence[str], reason: str) -> "Split":
        """Sub-queries that wait for nothing."""
        return cls(tuple(Part(text) for text in texts), reason)


@dataclass(slots=True)
class Sketch:
    """Parts as a rule writes them down; what a part describes instead of naming it is asked for in parts before it.

    Args:
        look_up: gives a question's words with what they describe asked for on the sheet, and "#1" in its place.
    """

    look_up: Callable[["Sketch", str], str]
    parts: list[Part] = field(default_factory=list)

    def ask(self, question: str) -> str:
        """A part that is searched; gives what stands for its answer. A part is never asked twice."""
        return self.add(Part(self.look_up(self, question)))

    def compute(self, text: str, function: str, *arguments: str) -> str:
        """A part that a function answers."""
        return self.add(Part(text, FunctionCall(function, arguments)))

    def split(self, reason: str) -> Split | None:
        """What is on the sheet; None where that is a single question."""
        return Split(tuple(self.parts), reason) if len(self.parts) > 1 else None

    def add(self, part: Part) -> str:
        """A part as it is; one that is on the sheet already is not added again. Gives what stands for its answer."""
        if part not in self.parts:
            self.parts.append(part)
        return f"#{self.parts.index(part) + 1}"
