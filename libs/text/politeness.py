"""Removes pleasantries before a question: `Thanks! How much is it?`"""

import re
from typing import Final

PLEASANTRY: Final = (
    r"(?:ok|okay|oh|wow|nice|great|cool|good|awesome|interesting|hmm|i see|got it|sorry|no worries|sure|hi|hello"
    r"|thanks?(?: you)?)"
)
"""A pattern, in lower case."""
_POLITE = re.compile(rf"\s*(?:{PLEASANTRY}(?: there| (?:so|very) much| a lot)?\s*[.,!?…]+\s*)+", re.IGNORECASE)


def without_politeness(text: str) -> str:
    """The text without leading pleasantries; the whole text if it contains nothing else."""
    polite = _POLITE.match(text)
    return (text[polite.end() :] if polite else text) or text
