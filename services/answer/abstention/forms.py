"""How a question is put: what can be told in many ways, and what one particular fact decides.

A passage on the matter nearly always answers `what is …` or `how do I …`. A yes or no, a count, a choice and a
superlative want one fact: evidence on the matter without that fact answers nothing. Of MTRAG's development tasks
(751) 5 % of those that are only open are unanswerable, 23 % of the narrow ones and 8 % of the rest; 2, 12 and 6 % in
one of its sets, 10, 38 and 12 % in the other. The kinds of words were chosen on these tasks.
"""

import re

from services.answer.lexicon.vague_words import vague_stems
from services.answer.question import PRECISE, Question
from services.text.politeness import PLEASANTRY

_LEADING_IN = re.compile(
    rf"^(?:(?:{PLEASANTRY}|so|and|but|well|by the way|btw|also|right|yes|no|really)\b[^.!?]*?[.,!?]+\s*)+"
)
_YES_OR_NO = (
    r"(?:^|[.!?,]\s+(?:and |but |so )?)(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|isn't"
    r"|aren't|doesn't|don't|didn't|may|am)\b"
)
_COUNT = r"\bhow (?:many|much)\b"
_CHOICE = r"\bwhich\b"
_SUPERLATIVE = (
    r"\b(?:best|most|least|worst|longest|largest|first|last|biggest|highest|lowest|only|famous|average|current)\b"
)
_NARROW = re.compile("|".join((_YES_OR_NO, _COUNT, _CHOICE, _SUPERLATIVE)))
_OPEN = re.compile(
    r"\bwhat(?:'s| is| are| was| were)\b|\bhow (?:do|does|did|to|is|are|can|could|would|should)\b"
    r"|\b(?:tell me|explain|describe|summari[sz]e|give me|list|provide|clarify)\b|\bdifferen|\b(?:who|where|when)\b"
)


def is_narrow(question: Question) -> bool:
    """Whether one particular fact decides it: a yes or no, a count, a choice, a superlative."""
    return _NARROW.search(_asked(question.text)) is not None


def is_open(question: Question) -> bool:
    """Whether many passages on the matter would tell it."""
    return _OPEN.search(_asked(question.text)) is not None


def is_precise(question: Question) -> bool:
    """Whether a date, a person, a place, a number or a name is wanted."""
    return question.kind in PRECISE


def is_of_a_time(question: Question) -> bool:
    """Whether it asks about a time and nothing besides: `What happened in May 2026?`"""
    return bool(question.dates) and not question.names and vague_stems().issuperset(question.stems)


def _asked(text: str) -> str:
    """The question without what leads in to it: `Thanks for that. And in the US, how much is it?`"""
    lowered = text.lower().replace("’", "'").strip()
    return _LEADING_IN.sub("", lowered) or lowered
