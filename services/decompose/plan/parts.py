"""The parts into which a question is split, and the sketch that collects them. Plain values; nothing is raised."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

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

    def replaced_in(self, text: str, placeholder: str) -> str:
        """The text with the description replaced."""
        start, end = self.clause or (len(text), len(text))
        rest = text[self.end : start] + text[end:]
        return text[: self.start] + self.stand_in.format(placeholder) + rest


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One sub-query; "#1" in its text or arguments stands for the first part's answer."""

    text: str
    function: FunctionCall | None = None
    """The function that computes it, if it isn't searched."""

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
    def side_by_side(cls, texts: Sequence[str], reason: str) -> "Split":
        """Return a split into independent sub-queries."""
        return cls(tuple(PlanPart(text) for text in texts), reason)

    def fits(self, most: int) -> bool:
        """Whether it has at most so many parts, and each asks something: a language may lack a question's form."""
        return len(self.parts) <= most and all(part.text for part in self.parts)


@dataclass(slots=True)
class Sketch:
    """Collects the parts of a split; things that a part describes instead of naming are looked up in earlier parts.

    Args:
        look_up: adds a part for each description in a question and returns the question with "#1" in its place.
    """

    look_up: Callable[["Sketch", str], str]
    parts: list[PlanPart] = field(default_factory=list)

    def ask(self, question: str) -> str:
        """Add a part that is searched, unless it exists, and return the placeholder of its answer."""
        return self.add(PlanPart(self.look_up(self, question)))

    def compute(self, text: str, function: str, *arguments: str) -> str:
        """Add a part that a function computes and return the placeholder of its answer."""
        return self.add(PlanPart(text, FunctionCall(function, arguments)))

    def split(self, reason: str) -> Split | None:
        """Return the split; None if there are fewer than two parts."""
        return Split(tuple(self.parts), reason) if len(self.parts) > 1 else None

    def add(self, part: PlanPart) -> str:
        """Add a part unchanged, unless it exists, and return the placeholder of its answer."""
        if part not in self.parts:
            self.parts.append(part)
        return f"#{self.parts.index(part) + 1}"
