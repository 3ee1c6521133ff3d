"""Detect from a question's words whether it asks for a timeline."""

import re

_WISH = re.compile(
    r"\btime\s?line\b|\bchronolog\w*\b|\b(?:course|sequence|order|series|chain)\s+of\s+events\b|\bevents\s+in\s+order\b"
    r"|\bwhat\s+happened\s+when\b|\bwhat\s+happened\s+(?:between|from)\b.*\b(?:and|to|until)\b"
    r"|\b(?:brief|short|full|whole|complete)?\s*history\s+of\b|\b(?:milestones?|key\s+(?:dates|events)|major\s+events)\b"
    r"|\b(?:year|month|day|step)\s+by\s+(?:year|month|day)\b|\bhow\s+(?:did|have|has)\b.*\bunfold\w*",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:medical|browser|browsing|search|credit|call|purchase|order|version|commit|git|chat|natural|department|museum|professor|"
    r"teacher|book)\s+(?:of\s+)?history\b|\bhistory\s+of\s+(?:cancer|heart|diabetes|allerg\w*|present\s+illness)\b",
    re.I,
)


def wants_timeline(question: str) -> bool:
    """Whether a question asks for a timeline: `timeline of …`, `history of …`, `what happened when`, `chronology`."""
    return _WISH.search(question) is not None and _OTHER.search(question) is None
