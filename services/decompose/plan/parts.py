"""The parts into which a question is split. Plain values; nothing is raised."""

from collections.abc import Sequence
from dataclasses import dataclass

from libs.contracts.query import FunctionCall
from libs.graph.placeholders import named_in


@dataclass(frozen=True, slots=True)
class Description:
    """A description, `text[start:end]`, and the question that looks up what it refers to."""

    start: int
    end: int
    asks: str
    is_unique: bool
    """Whether a word such as "first" identifies it; documents then probably use the same words."""

    stand_in: str = "{}"
    """What replaces it in the question; `{}` is the answer's placeholder."""
    clause: tuple[int, int] | None = None
    """Start and end of a clause of it that stands apart, after its end; with the commas around it."""

    def without_clause(self, text: str) -> str:
        """The text without the clause that stands apart."""
        start, end = self.clause or (len(text), len(text))
        return text[:start] + text[end:]


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

    @classmethod
    def of(cls, texts: Sequence[str], reason: str) -> "Split":
        """Return a split into searched sub-queries."""
        return cls(tuple(PlanPart(text) for text in texts), reason)

    @classmethod
    def computed(cls, texts: Sequence[str], question: str, function: FunctionCall, reason: str) -> "Split":
        """Return a split into searched sub-queries and a computation on their answers, which answers the question."""
        return cls((*cls.of(texts, "").parts, PlanPart(question, function)), reason)

    def fits(self, most: int) -> bool:
        """Whether it has at most so many parts, and each asks something: a language may lack a question's form."""
        return len(self.parts) <= most and all(part.text for part in self.parts)
