"""What the suite made of a question before it looked for an answer."""

from dataclasses import dataclass, replace
from enum import StrEnum

from libs.contracts.dates import PartialDate, TimeRange
from libs.contracts.spans import Span


class Category(StrEnum):
    """What kind of question the policy sees."""

    ILLEGAL = "ILLEGAL"
    ETHICAL = "ETHICAL"
    PRIVACY = "PRIVACY"
    HARMFUL = "HARMFUL"
    PROFESSIONAL_CONSULTATION = "PROFESSIONAL_CONSULTATION"
    HUMAN_AI = "HUMAN_AI"
    MISINFORMATION = "MISINFORMATION"
    TECHNICAL = "TECHNICAL"
    ACADEMIC = "ACADEMIC"
    PLANNING = "PLANNING"
    CREATIVE = "CREATIVE"


class RangeUse(StrEnum):
    """What retrieval does with a grounded time range."""

    FILTER = "FILTER"
    BOOST = "BOOST"


class GroundedKind(StrEnum):
    """What was grounded."""

    TIME = "TIME"
    PLACE = "PLACE"
    ENTITY = "ENTITY"


@dataclass(frozen=True, slots=True)
class QuestionRejection:
    """Whether the policy refuses the question, and why."""

    is_reject: bool = False
    reject_reason: str = ""
    category: Category | None = None


@dataclass(frozen=True, slots=True)
class QuestionSupplement:
    """Whether the suite asks back, and what it offers (2 to 5 choices)."""

    is_supply: bool = False
    supply_description: str = ""
    supply_choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelatedEvent:
    """The named event that the question is about."""

    name: str
    date: PartialDate | None = None


@dataclass(frozen=True, slots=True)
class Grounded:
    """A phrase of the question that got an exact meaning, or could not get one."""

    kind: GroundedKind
    phrase: str
    span: Span = Span()
    """In the standalone question."""
    value: str = ""
    """What it stands for; empty when it was left as it stands."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The intent stage's result."""

    question_rejection: QuestionRejection = QuestionRejection()
    question_supplement: QuestionSupplement = QuestionSupplement()
    grounded_query: str = ""
    grounded: tuple[Grounded, ...] = ()
    time_range: TimeRange | None = None
    range_use: RangeUse | None = None
    related_event: RelatedEvent | None = None
    ask_score: float = 0.0
    wants_timeline: bool = False
    engine: str = "rules"
    language: str = ""
    """Of the question, as a language model told it, BCP 47; empty without one."""
    translated_query: str = ""
    """The standalone question in the collection's language, before it was grounded; empty where it is in it."""
    courtesy_reply: str = ""
    """What is said to a turn that asks nothing (a greeting, thanks), in its language; empty where it asks something."""

    def worded_as(self, other: "Understanding") -> "Understanding":
        """The same, with words, times and places as they were read of another wording of the turn."""
        return replace(
            self,
            grounded_query=other.grounded_query,
            grounded=other.grounded,
            time_range=other.time_range,
            range_use=other.range_use,
        )
