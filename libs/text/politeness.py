"""What people say before a question and do not ask: `Thanks! How much is it?`"""

import re
from typing import Final

PLEASANTRY: Final = (
    r"(?:ok|okay|oh|wow|nice|great|cool|good|awesome|interesting|hmm|i see|got it|sorry|no worries|sure|hi|hello"
    r"|thanks?(?: you)?)"
)
"""A pattern, in small letters."""
_POLITE = re.compile(rf"\s*(?:{PLEASANTRY}(?: there| (?:so|very) much| a lot)?\s*[.,!?…]+\s*)+", re.IGNORECASE)


def without_politeness(text: str) -> str:
    """The text from where its matter begins; the whole text where there is nothing else."""
    polite = _POLITE.match(text)
    return (text[polite.end() :] if polite else text) or text
