"""Words by which a question asks for news, the newest news, or history."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


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
