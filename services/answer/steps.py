"""What writing an answer gives, step by step, with the field names of the stage's contract."""

from dataclasses import dataclass
from typing import TypeAlias

from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, TextDelta
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage that the text cites, and by which number, from 1."""

    passage_id: str
    number: int


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers that the text cites by, in the order of the text; passages of one section have the same."""

    passages: tuple[NumberedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUps:
    """Questions to ask next, the best first; whether they have an answer is not known."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The answer as it holds; the last step."""

    answer: Answer
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractResponse:
    """A short answer, where it stands, and how sure it is (0 to 1)."""

    answer: str | None = None
    source: CitedSpan | None = None
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class WriteOnceResponse:
    """The whole content of a stream of steps."""

    answer: Answer
    usage: tuple[Usage, ...] = ()
    degraded: tuple[Degraded, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a language model is asked, estimated, before it answers."""

    usage: Usage


WriteStep: TypeAlias = (
    Progress | Degraded | Numbering | Asked | TextDelta | Citation | PlacedImage | FollowUps | WriteResult
)
