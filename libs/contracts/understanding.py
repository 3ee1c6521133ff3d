"""The interpretation of a question before the search for an answer, as plain values."""

from dataclasses import dataclass, replace
from enum import StrEnum

from libs.contracts.dates import PartialDate, TimeRange
from libs.contracts.spans import Span


class Category(StrEnum):
    """The policy's category of a question."""

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
    """How strictly an answer is of a time range: of it alone (counted from the asker's date), or of it first."""

    FILTER = "FILTER"
    BOOST = "BOOST"


class GroundedKind(StrEnum):
    """The kind of phrase that was grounded."""

    TIME = "TIME"
    PLACE = "PLACE"
    ENTITY = "ENTITY"


@dataclass(frozen=True, slots=True)
class QuestionRejection:
    """Whether the policy rejects the question, and why."""

    is_reject: bool = False
    reject_reason: str = ""
    category: Category | None = None


@dataclass(frozen=True, slots=True)
class QuestionSupplement:
    """Whether the suite asks back, and the choices it offers (2 to 5, by the contract)."""

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
    """A phrase of the question with its explicit meaning, or with the reason why it has none."""

    kind: GroundedKind
    phrase: str
    span: Span = Span()
    """Position in the standalone question."""
    value: str = ""
    """The explicit meaning; empty if the phrase was left unchanged."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Understanding:
    """The intent stage's result."""

    question_rejection: QuestionRejection = QuestionRejection()
    question_supplement: QuestionSupplement = QuestionSupplement()
    grounded_query: str = ""
    """The standalone question with its phrases replaced by their explicit meanings."""
    grounded: tuple[Grounded, ...] = ()
    time_range: TimeRange | None = None
    range_use: RangeUse | None = None
    related_event: RelatedEvent | None = None
    ask_score: float = 0.0
    """How much the wording calls for asking back, at least 0; the intent stage's settings have the threshold."""
    wants_timeline: bool = False
    engine: str = "rules"
    language: str = ""
    """The question's language as a language model detected it, BCP 47; empty without a model."""
    translated_query: str = ""
    """The standalone question in the collection's language, before grounding; empty if no translation is needed."""
    courtesy_reply: str = ""
    """The reply, in its language, to a turn without a question (a greeting, thanks); empty if it has a question."""

    def with_wording_of(self, other: "Understanding") -> "Understanding":
        """A copy with the grounded query, its phrases and its time range from another wording of the turn."""
        return replace(
            self,
            grounded_query=other.grounded_query,
            grounded=other.grounded,
            time_range=other.time_range,
            range_use=other.range_use,
        )
