"""What tells names from other capitalised words."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class NameForms(Topic):
    """Names and words that look like one, in a language."""

    openers: frozenset[str]
    """Words that begin a sentence without naming anything; lower-cased."""
    abbreviations: frozenset[str]
    """Abbreviations of common words, as written: `TV`."""
    opening_form: re.Pattern[str]
    """A lower-cased word that by its form is not a name at the beginning of a sentence: `walking`."""
    common_noun: re.Pattern[str]
    """A word that by its form is a common noun, in a language that capitalises these."""
    possessive: re.Pattern[str]
    """The mark of possession at the end of a name: `'s`."""
    acronym_links: tuple[str, ...]
    """Words that an acronym leaves out: `of`."""
    compounds: bool
    """Whether compounds are written as one word, so that a word may stand for several letters of an acronym."""
