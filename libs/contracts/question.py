"""The forms of a question: verbatim, standalone, grounded."""

from dataclasses import dataclass

from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import Understanding


@dataclass(frozen=True, slots=True)
class TurnQuestion:
    """A turn's question as far as it is processed; a form that is not known yet is the one before it."""

    raw: str
    """The last turn, verbatim."""
    standalone: str
    """Understandable without the conversation."""
    grounded: str
    """Standalone, with its times and places resolved; this form is split, searched and answered."""

    @classmethod
    def of(cls, raw: str, record: DecisionRecord | None, understanding: Understanding | None = None) -> "TurnQuestion":
        """Derive the forms from what the stages returned."""
        standalone = (record.standalone if record else "") or raw
        return cls(raw, standalone, (understanding.grounded_query if understanding else "") or standalone)
