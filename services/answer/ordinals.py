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
    wanted = _places(question)
    if not wanted:
        return False
    told = _places(sentence)
    return wanted.isdisjoint(told) and not {thing for _, thing in wanted}.isdisjoint(thing for _, thing in told)


@lru_cache(maxsize=1024)
def _places(text: str) -> frozenset[tuple[str, str]]:
    """Return pairs of ordinal and stem: `second` and `well`."""
    rows = ((found["nths"].lower(), stem(found["thing"].lower())) for found in _OF_A_ROW.finditer(text))
    return frozenset((nth, thing) for nths, thing in rows for nth in _NTH.findall(nths))
