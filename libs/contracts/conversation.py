"""The earlier messages of a conversation, and what a stage gets of them, as plain values."""

from dataclasses import dataclass
from enum import StrEnum

from libs.contracts.evidence import RankedPassage


class Speaker(StrEnum):
    """The author of a message."""

    USER = "USER"
    AGENT = "AGENT"


class TurnKind(StrEnum):
    """What a turn does."""

    QUESTION = "QUESTION"
    """It asks something, also by a fragment such as `And in March?`."""
    REQUEST = "REQUEST"
    """It wants something: `I need the voltage`."""
    CORRECTION = "CORRECTION"
    """It corrects what the previous turn asked: `No, I meant the weight`."""
    COURTESY = "COURTESY"
    """It asks nothing: a greeting, thanks, approval."""
    FORM = "FORM"
    """It wants the latest answer in another form: `shorter, please`."""


class Courtesy(StrEnum):
    """The kind of a turn that asks nothing."""

    GREETING = "GREETING"
    THANKS = "THANKS"
    APPROVAL = "APPROVAL"


class AnswerForm(StrEnum):
    """Another form of the latest answer."""

    SHORTER = "SHORTER"
    LIST = "LIST"
    REPEAT = "REPEAT"
    TABLE = "TABLE"
    SIMPLER = "SIMPLER"
    TRANSLATION = "TRANSLATION"


@dataclass(frozen=True, slots=True)
class TurnReading:
    """The one reading of a turn, made where it enters."""

    language: str
    """Of the turn; where that is uncertain, of the turn before it. ISO 639-1."""
    kind: TurnKind | None = None
    """None: it was not read."""
    text: str = ""
    """What is searched, planned and understood: the turn without words of courtesy, request and correction around it;
    empty if nothing is left."""
    picks: tuple[str, ...] = ()
    """What it picks of the options that the latest answer offered or listed, in their order."""
    picking: str = ""
    """The words of the text that pick: `the second one`; empty if it is the whole turn."""
    declines: bool = False
    """Whether it declines what was offered."""
    courtesy: Courtesy | None = None
    form: AnswerForm | None = None
    form_language: str = ""
    """The language that it wants the answer in, ISO 639-1."""

    @property
    def replaces_question(self) -> bool:
        """Whether it makes the latest question anew, with other words in it or in another form."""
        return bool(self.picks) or self.kind in (TurnKind.CORRECTION, TurnKind.FORM)


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """One message of an earlier turn."""

    speaker: Speaker
    text: str
    passages: tuple[RankedPassage, ...] = ()
    """For an agent's message: the first passages that were found for its turn, the best first; empty if unknown."""
    reading: TurnReading | None = None
    """For a user's message: how it was read when it was asked; None if unknown."""
    abstained: bool = False
    """For an agent's message: whether it abstained, so that the next turn does not lean on it."""
    standalone: str = ""
    """For a user's message: the standalone question that it was taken for; empty if unknown."""


@dataclass(frozen=True, slots=True)
class ConversationView:
    """The part of a conversation that a stage reads: recent messages whole, oldest first, older ones as a summary."""

    messages: tuple[HistoryMessage, ...] = ()
    summary: str = ""
    offered_choices: tuple[str, ...] = ()
    """The options of the newest turn, if that turn asked back."""
    first_turn: int = 0
    """Number of user turns before the first message."""
    asked_back: bool = False
    """Whether the newest turn was answered with a question: this one may supply the missing information."""
