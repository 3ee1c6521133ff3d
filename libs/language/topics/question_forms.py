"""Words by which a question tells what kind of answer it asks for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar


@dataclass(frozen=True)
class QuestionForms(Topic):
    """Forms of questions in a language. Patterns read text with the straight apostrophe, lower-cased unless noted."""

    uses = (Calendar,)

    kinds: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of answer: `date`, `number`, `place`, `person`, `reason`, `definition`, `name`."""
    measures: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of quantity: `duration`, `extent` (of time or space), `age`, `length`, `mass`,
    `temperature`, `speed`, `money`, `share`, `power`."""
    counted: re.Pattern[str]
    """A question, in any case, for a count, with the counted noun, or the words up to it, as the group `thing`."""
    counted_subject: re.Pattern[str]
    """The same, where the noun is the subject of the group `verb`: `how many members came`."""
    amount: re.Pattern[str]
    """A question, in any case, for an amount of something that has no plural: `how much soil`."""
    category: re.Pattern[str]
    """A question, in any case, for one of a category, which is the group `thing`: `which Japanese lander`."""
    people: re.Pattern[str]
    """A whole word, in any case, for a people: `Japanese`."""
    without_content: re.Pattern[str]
    """Question words, in any case, that no answer repeats, though they are no stop words: `per`."""
    since: re.Pattern[str]
    """The text, in any case, before a date from which on all counts: `since the`."""
    past: re.Pattern[str]
    """A question, in any case, about what happened."""
    asks_where: re.Pattern[str]
    """A question, in any case, that asks for a place beside a name: `in which`, `… did it land on?`."""
    answering: frozenset[str]
    """Words by which an answer speaks of itself: `question`."""
    yes_no: re.Pattern[str]
    """The beginning of a question, in any case, that is answered by yes or no."""
