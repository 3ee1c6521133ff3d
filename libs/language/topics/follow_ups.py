"""How turns lean on earlier ones, besides pronouns: read from files by `Topic.of` (LanguageDataError)."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class EllipsisForms(Topic):
    """What stands before a turn that follows another one."""

    lead: re.Pattern[str]
    """Words before the turn proper, with the marks after them: `and`, `thanks`; at its start."""


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


@dataclass(frozen=True)
class Fillers(Topic):
    """Clauses without content in a language."""

    phrases: tuple[str, ...]
    """How they begin: `glad to help`."""
    courtesy: re.Pattern[str]
    """The beginning of such a clause, with the mark before it."""
