"""Things distinguished by ordinals: the second well is not the first one."""

import re
from functools import lru_cache

from libs.text.tokens import stem

_NTH = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)\b", re.IGNORECASE)
_OF_A_ROW = re.compile(
    rf"(?P<nths>{_NTH.pattern}(?:(?:\s+(?:and|or)|,)\s+(?:the\s+)?{_NTH.pattern})*)\s+(?P<thing>[a-z][a-z-]+)",
    re.IGNORECASE,
)
"""`The first and the second well` mentions both."""


def tells_of_another(question: str, sentence: str) -> bool:
    """Whether the sentence has the question's thing with a different ordinal only: the first, not the second well."""
    question_things = _ordinal_things(question)
    if not question_things:
        return False
    sentence_things = _ordinal_things(sentence)
    return question_things.isdisjoint(sentence_things) and not {thing for _, thing in question_things}.isdisjoint(
        thing for _, thing in sentence_things
    )


@lru_cache(maxsize=1024)
def _ordinal_things(text: str) -> frozenset[tuple[str, str]]:
    """Return pairs of ordinal and stem: `second` and `well`."""
    rows = ((match["nths"].lower(), stem(match["thing"].lower())) for match in _OF_A_ROW.finditer(text))
    return frozenset((nth, thing) for nths, thing in rows for nth in _NTH.findall(nths))
