"""A question's time, the user's place, where to search: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class QuestionTimes(Topic):
    """Context of times in questions. Patterns of what precedes a time end with `\\Z`, where the time begins."""

    leading: re.Pattern[str]
    """A preposition that is replaced along with a time."""
    present: re.Pattern[str]
    """A verb in the present tense, by which `today` means the present."""
    happens: re.Pattern[str]
    """A word by which `today` means the day."""
    adverbs: frozenset[str]
    """Words that begin a time, and with a capital a name: `the film Yesterday`."""
    counting: Mapping[str, str]
    """Prepositions that adverbs stand for after a time was told: `das Jahr davor` is that `vor` it."""
    month_names: tuple[str, ...]
    """The twelve months."""
    ranges: Mapping[str, str]
    """Templates of dates (`day`, `year`) and of ranges, with their preposition: `before`, `in_month`."""


@dataclass(frozen=True)
class SearchRanges(Topic):
    """Whole phrases; a match is quoted in the reason of the range."""

    history: re.Pattern[str]
    """The question is about the past."""
    habit: re.Pattern[str]
    """`today` as the end of a long time: `still called so today`."""
    hot: re.Pattern[str]
    """The newest news: `what happened today`."""
    news: re.Pattern[str]
    """News of any age: `news`, `recently`."""
    news_word: re.Pattern[str]
    """A match of `news` that asks for news also of a past year."""
    names: re.Pattern[str]
    """Names that contain such a word: `Sky News`."""
    other_senses: re.Pattern[str]
    """Phrases in which such a word has another meaning: `ocean current`."""


@dataclass(frozen=True)
class Here(Topic):
    """Words that refer to where the user is, and what takes their place."""

    not_a_place: re.Pattern[str]
    """Phrases in which `here` is not the user's place: `click here`."""
    demonstrative: re.Pattern[str]
    """What the group `which` holds if it may be a place that was mentioned before."""
    phrases: Mapping[str, re.Pattern[str]]
    """The words of each kind, tried in their order; the group `words` is what is replaced, if it is not the whole."""
    places: Mapping[str, str]
    """What takes the place of each kind: `{place}` is the session's place, other names are groups of the pattern."""
