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

    def replaced_in(self, text: str, stand_in: str) -> str:
        """The text with the description replaced."""
        return text[: self.start] + stand_in + text[self.end :]
