"""What sentences say, deny or instruct, and how surely: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ClauseParts(Topic):
    """Function words by their place in a clause, where clauses end, and phrases; words are lower-cased."""

    present_ending: str
    """What the third person adds to a verb."""
    next_clause: re.Pattern[str]
    """The beginning of a further clause, with or without a subject."""
    self_definition: re.Pattern[str]
    """A name that is defined by itself."""
    also_nouns: frozenset[str]
    """Past forms that are other words, too: `saw`, `ground`."""
    past_endings: tuple[str, ...]
    """Endings of regular past forms: `ed`."""
    boundary: re.Pattern[str]
    """The boundary between clauses that may tell of different things."""
    relative_verb: re.Pattern[str]
    """`, who …`, with the group `verb`."""
    passive_agent: re.Pattern[str]
    """A passive up to the word before its agent: `was built by`."""
    reason: re.Pattern[str]
    """A word that introduces a reason: `because`."""
    reason_given: re.Pattern[str]
    """A word or mark by which a source may give a reason."""


@dataclass(frozen=True)
class Negation(Topic):
    """Negation in a language."""

    negator: re.Pattern[str]
    """A word that denies what is near: `not`, `never`, `failed` before `to`."""
    no_denial: re.Pattern[str]
    """A phrase with a negator that denies nothing or only states a bound: `no later than`."""
    no_other: re.Pattern[str]
    """A negator of existence: `nobody`."""
    utmost: re.Pattern[str]
    """A superlative or `only`, which states the same as `no other`."""
    clause_end: re.Pattern[str]
    """A punctuation mark or conjunction that ends a negator's scope."""


@dataclass(frozen=True)
class Connectives(Topic):
    """With which words a sentence goes on from the one before it, or promises the one after it."""

    leaning: re.Pattern[str]
    """Words that the sentence needs, and that are not understood without the one before it: `In this case `."""
    marker: re.Pattern[str]
    """Words without which the sentence says the same: `Additionally, `."""
    promise: re.Pattern[str]
    """The end of a sentence that says what it promises only with what follows: `are listed below.`"""


@dataclass(frozen=True)
class Remarks(Topic):
    """Remarks of a writer to the reader, in a language."""

    courtesy: re.Pattern[str]
    """The beginning of a clause without content, with the mark before it: `glad to help`."""


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
