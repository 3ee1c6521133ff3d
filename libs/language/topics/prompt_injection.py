"""Wording of prompt injection, instructions in a document: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class PromptInjection(Topic):
    """Signs of an instruction by name, with the cues that make it worth trying the sign's pattern.

    A pattern requires words that rarely occur together in manuals and advice: `You must run the command` and
    `Ignore the warning` don't match. On 16,600 passages of MTRAG (Wikipedia, cloud manuals, financial advice, public
    offices) fewer than one in a thousand match the English ones.
    """

    cues: Mapping[str, str]
    """For each sign and region, lower-cased text of which every match contains one, separated by `|`."""
    signs: Mapping[str, re.Pattern[str]]
    """Patterns, matched against one sentence or line."""
    regions: Mapping[str, re.Pattern[str]]
    """Marks that pretend that the document ends or that another speaker begins; from there on, nothing is evidence."""
    ends: Mapping[str, re.Pattern[str]]
    """The mark that closes a region; without one, it extends to the end of the text."""
