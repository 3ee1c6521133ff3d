"""A thing that a question describes instead of naming it."""

from dataclasses import dataclass


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
