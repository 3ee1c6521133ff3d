"""Sentences and words of an answer that claim nothing about its subject."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Remarks(Topic):
    """Remarks of a writer to the reader, in a language."""

    lead: re.Pattern[str]
    """A word with which a reply begins, with the mark after it: `Yes,`."""
    fillers: tuple[str, ...]
    """Words that claim nothing when they are alone."""
    silence: re.Pattern[str]
    """Words that say that the information is missing."""
    speech: re.Pattern[str]
    """A conversational remark addressed to the reader."""
    verb: re.Pattern[str]
    """A word that shows that a text is a sentence and not the item of a list."""
