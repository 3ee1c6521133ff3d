"""What people say before a question and do not ask: `Thanks! How much is it?`"""

import re

_POLITE = re.compile(
    r"\s*(?:(?:ok|okay|oh|wow|nice|great|cool|good|awesome|interesting|hmm|i see|got it|sorry|no worries|sure"
    r"|hi(?: there)?|hello(?: there)?|thanks?(?: you)?(?: (?:so|very) much| a lot)?)\s*[.,!?…]+\s*)+",
    re.IGNORECASE,
)


def without_politeness(text: str) -> str:
    """The text from where its matter begins; the whole text where there is nothing else."""
    polite = _POLITE.match(text)
    return (text[polite.end() :] if polite else text) or text
