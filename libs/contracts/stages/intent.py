"""The intent stage: refuses a question, asks back, or grounds it. Values of its RPCs, and their descriptors."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.evidence import Evidence
from libs.contracts.methods import StreamMethod, UnaryMethod
from libs.contracts.options import Setting
from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import QuestionRejection, Understanding
from libs.contracts.usage import Degraded, Progress, Usage


@dataclass(frozen=True, slots=True)
class UnderstandRequest:
    """The last turn, with what is known about it."""

    question: str
    """The last turn, verbatim."""
    record: DecisionRecord | None = None
    """Its standalone form; None if it was not condensed."""
    view: ConversationView = field(default_factory=ConversationView)
    """The conversation before it."""
    probe: tuple[Evidence, ...] = ()
    """The results of a shallow search."""
    setting: Setting = field(default_factory=Setting)
    """The user's time and place."""
    understood: Understanding | None = None
    """An earlier result for another standalone question; if given, no language model is called."""
    reading: TurnReading | None = None
    """How the turn was read where it entered; None: the stage reads it."""
    languages: tuple[str, ...] = ()
    """The collection's languages, ISO 639-1, that of most documents first; empty: no question is translated."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision in a language model's first output fields, while it generates the rest."""

    passes: bool
    """Whether the question is neither refused nor asked back, and keeps the wording and times of the rules."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The result; the last step."""

    understanding: Understanding
    usage: tuple[Usage, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """A question of which only is asked whether it is refused."""

    question: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a question is refused, and by which engine."""

    question_rejection: QuestionRejection
    engine: str = "rules"
    degraded: tuple[Degraded, ...] = ()
    usage: tuple[Usage, ...] = ()


UnderstandHint: TypeAlias = Understanding | Verdict
"""An early result, each at most once: the rules' understanding, sent while a language model is asked; the verdict."""
UnderstandStep: TypeAlias = Progress | Degraded | UnderstandHint | Understood
UNDERSTAND: Final[StreamMethod[UnderstandRequest, UnderstandStep]] = StreamMethod(
    "parley.intent.v1.IntentService/Understand",
    UnderstandRequest,
    {
        Progress: "state",
        Degraded: "degraded",
        Understanding: "by_rules",
        Verdict: "verdict",
        Understood: "result",
    },
)
"""Understands a question; the last step is `Understood`. InvalidInput: the time zone does not exist."""
JUDGE: Final = UnaryMethod("parley.intent.v1.IntentService/Judge", JudgeRequest, Judgement)
"""Says only whether the question is refused."""
METHODS: Final = (UNDERSTAND, JUDGE)
