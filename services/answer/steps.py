"""The steps of writing an answer, with the field names of the stage's contract."""

from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, TextDelta
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage that the text cites, with its reference number, from 1."""

    passage_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """The reference numbers of the text, in order; passages of one section share a number."""

    passages: tuple[NumberedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Questions to ask next, best first; they are not guaranteed to have an answer."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The final answer; the last step."""

    answer: Answer
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractResponse:
    """A short answer with its source and confidence (0 to 1)."""

    answer: str | None = None
    source: CitedSpan | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class WriteOnceResponse:
    """The content of a stream of steps as one response."""

    answer: Answer
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The estimated usage of a language model call, sent before it answers."""

    usage: Usage


WriteStep: TypeAlias = (
    Progress | Degraded | Numbering | Asked | TextDelta | Citation | PlacedImage | FollowUps | WriteResult
)
