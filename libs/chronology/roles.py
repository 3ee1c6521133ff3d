"""Classifies a date in a sentence: the date of the sentence's event, or of something mentioned in passing."""

import re
from enum import Enum

from libs.chronology.days import first_day, last_day
from libs.contracts.dates import PartialDate, Precision
from libs.text.dates import DateMention


class Role(Enum):
    """The role of a date in its sentence; the value is how likely the event lies on it, in (0, 1]."""

    EVENT = 1.0
    """The date of the event: `On 20 July 1969 …`, `… landed in 1976`."""
    CARRIED = 0.7
    """Taken from an earlier sentence or from the report's date: `Eighteen people died.`"""
    BOUND = 0.6
    """One end of a period: `until 1976`, `missing since December 2003`, `by 1980`."""
    PLANNED = 0.3
    """In the future at that time, or now: `is planned for 2031`."""
    ASIDE = 0.25
    """The date of something else: `the 1971 mission`, `named after Kepler, born in 1571`, `(1564–1642)`."""


_BOUND = re.compile(
    r"(?i)\b(?:since|until|till|before|after|by|up to|prior to|as early as|as late as|no later than)\s+(?:the\s+)?\Z"
)
_COMPARED = re.compile(r"(?i)\b(?:than|unlike|as|like)\s+(?:\w+\s+)?(?:in\s+|that of\s+|those of\s+)?\Z")
_BORN = re.compile(r"(?i)\b(?:born|died|lived|named (?:after|for)|in (?:memory|honou?r) of)\b[^.;,]*\Z")
_SINCE = re.compile(r"(?i)\bsince\s+(?:\w+\s+)+(?:was|were|had|began|started)\b[^.;,]*\Z")
_OF = re.compile(r"(?i)\b(?:of|from)\s+(?:the\s+)?\Z")
_PART_OF = re.compile(
    r"(?i)\b(?:day|week|month|summer|spring|autumn|fall|winter|morning|evening|night|end|beginning|start|middle|half)"
    r"\s+of\s+(?:the\s+)?\Z"
)
_DETERMINER = re.compile(r"(?i)(?:\b(?:the|an?|its|his|her|their|this|that|every|new)|’s|'s)\s+\Z")
_NOUN_FOLLOWS = re.compile(r"[ -][^\W\d_]")
_NO_NOUN = re.compile(
    r"[ -](?:and|or|but|to|in|on|at|by|with|from|the|a|an|it|he|she|they|when|after|before|as|for|is|was|were)\b"
)
_YEARS_ONLY = re.compile(r"\(\s*(?:c\.\s*)?\Z")
_PLANNED = re.compile(
    r"\b(?:will|would|shall|should|(?:is|are|was|were) to|planned|plans?|planning|scheduled|expected|intend\w*|"
    r"proposed|hopes?|hoped|aim(?:s|ed) (?:to|for|at)|(?:is|are|was|were|be) due|might|supposed|forecast|slated)\b"
)
_CARRIED_OUT = re.compile(r"\b(?:as|than) (?:planned|scheduled|expected|intended)\b")
_CLAUSE_END = re.compile(r"[;:—]\s|,\s|\s(?:and|but|that|which|who|whether|because|when|while|so)\s")


def role_of(text: str, mention: DateMention, document_date: PartialDate | None = None) -> Role:
    """The role of the date `mention` in the sentence `text`; a date after `document_date` is planned."""
    if document_date and first_day(mention.first) > last_day(document_date):
        return Role.PLANNED
    if _is_aside(text, mention):
        return Role.ASIDE
    if is_planned(text, mention):
        return Role.PLANNED
    return Role.BOUND if _BOUND.search(text[: mention.start]) else Role.EVENT


def is_told(text: str, mention: DateMention) -> bool:
    """Whether later relative dates, such as `the next day`, count from this date."""
    return not _is_aside(text, mention)


def _is_aside(text: str, mention: DateMention) -> bool:
    before, after = text[: mention.start], text[mention.end :]
    if _COMPARED.search(before) or _BORN.search(before) or _SINCE.search(before):
        return True
    if _DETERMINER.search(before) and mention.precision is not Precision.SEASON:
        return bool(_NOUN_FOLLOWS.match(after)) and not _NO_NOUN.match(after)
    if _YEARS_ONLY.search(before) and after.startswith(")"):
        return True
    return bool(_OF.search(before)) and not _PART_OF.search(before)


def is_planned(text: str, mention: DateMention) -> bool:
    """Whether the clause of the date contains a word of intention."""
    starts = [match.end() for match in _CLAUSE_END.finditer(text, 0, mention.start)]
    end = _CLAUSE_END.search(text, mention.end)
    clause = text[max(starts, default=0) : end.start() if end else len(text)]
    return plans(clause)


def plans(clause: str) -> bool:
    """Whether a clause contains a word of intention."""
    return bool(_PLANNED.search(_CARRIED_OUT.sub("", clause)))
