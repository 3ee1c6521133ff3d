"""Sentences that report what stands somewhere: `The handbook says: “…”`. What they claim is what they quote.

The frame may be in another language than the quotation, which no list of words compares with the passages.
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
"""Characters of a quotation; a shorter one is a word that somebody mentions."""


def reported(sentence: str) -> str | None:
    """What a sentence quotes behind a colon; None where it does something else, or its frame claims something, too."""
    match = _REPORTED.fullmatch(sentence.strip())
    if match is None:
        return None
    frame = read_claims(match["frame"])
    quotation = next(filter(None, match.groups()[1:])).strip()
    claims = frame.denied or frame.dates or frame.all_numbers
    return None if claims or len(quotation) < _LEAST else quotation
