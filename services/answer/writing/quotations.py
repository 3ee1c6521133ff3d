"""Handles sentences that introduce a quotation: `The handbook says: “…”`. Their claim is the quotation.

The introduction may be in another language than the quotation, so it can't be compared with the passages.
"""

import re
from typing import Final

from services.answer.verification.claims import read_claims

_REPORTED: Final = re.compile(
    r"(?P<frame>[^:：\"“”„«»「」『』]{1,120})[:：]\s*"
    r"(?:\"(?P<plain>[^\"]+)\"|“(?P<curly>[^”]+)”|„(?P<low>[^“”]+)[“”]|«(?P<angle>[^»]+)»|「(?P<corner>[^」]+)」)"
    r"[\s.,;!?。！？]*"
)
_LEAST: Final = 12
"""Characters of a quotation; a shorter one is just a mentioned word."""


def reported_quote(sentence: str, language: str) -> str | None:
    """Return the quotation after a colon; None if there is none, or if the introduction makes claims too."""
    match = _REPORTED.fullmatch(sentence.strip())
    if match is None:
        return None
    frame = read_claims(match["frame"], language)
    quotation = next(filter(None, match.groups()[1:])).strip()
    claims = frame.denials or frame.dates or frame.all_numbers
    return None if claims or len(quotation) < _LEAST else quotation
