"""Several questions in one sentence."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.agreement import Agreement


@dataclass(frozen=True)
class JoinedQuestions(Topic):
    """How questions are joined in a language."""

    uses = (Agreement,)

    question_word: re.Pattern[str]
    """A question word that needs no noun or adjective; a part of the patterns below."""
    two_words: re.Pattern[str]
    """A whole question with two question words, the groups `one` and `other`, before the same `rest`."""
    question_of_two_words: str
    """The question of each: `{word} {rest}`."""
    indirect: re.Pattern[str]
    """At the start of a sentence: a question within a question, `can you tell me when …`."""
    joint: re.Pattern[str]
    """What stands before another question: ` and `."""
    openers: frozenset[str]
    """Prepositions that may stand before a question word, so that the question begins with them; lower-cased."""
