"""Forms of questions and answers, times and places of questions: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic
from libs.language.topics.calendar import Calendar
from libs.language.topics.grammar import Grammar


@dataclass(frozen=True)
class QuestionForms(Topic):
    """Forms of questions in a language. Patterns read text with the straight apostrophe, lower-cased unless noted."""

    uses = (Calendar,)

    kinds: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of answer: `date`, `number`, `place`, `person`, `reason`, `definition`, `name`."""
    measures: Mapping[str, re.Pattern[str]]
    """A pattern for each kind of quantity: `duration`, `extent` (of time or space), `age`, `length`, `mass`,
    `temperature`, `speed`, `money`, `share`, `power`."""
    amount: re.Pattern[str]
    """A question, in any case, for an amount of something that has no plural: `how much soil`."""
    category: re.Pattern[str]
    """A question, in any case, for one of a category, which is the group `thing`: `which Japanese lander`."""
    answering: frozenset[str]
    """Words by which an answer speaks of itself: `question`."""
    yes_no: re.Pattern[str]
    """The beginning of a question, in any case, that is answered by yes or no."""


@dataclass(frozen=True)
class QuestionFrames(Topic):
    """Whole questions in a language that are made of another question, or of words that are none."""

    uses = (Grammar, QuestionForms)

    question: re.Pattern[str]
    """The beginning of a text that is a question, in any case."""
    whole: str
    """A question with its marks: `{question}?`."""
    about: str
    """The question about something that is no question: `can you tell me about this: {text}`."""
    otherwise: str
    """A question in other words, whatever it is: `can you tell me this: {question}`."""
    more: str
    """A question, and one for more about its `topics`."""
    this: str
    """What the latter asks about, if there are none."""
    either: str
    """A `word` and its synonym, `other`: `{word} or {other}`."""
    openings: Mapping[str, str]
    """How else a question may begin: `when`, `on what date`; lower-cased."""


@dataclass(frozen=True)
class FollowUps(Topic):
    """Questions to ask next, in a language."""

    document: str
    """About what a document is about: `What is known about {title}?`."""
    section: str
    """About what the section of a document tells, its `heading` and the document's `title`."""
    beside: str
    """About what happened at the `time` of an event: `What else happened {time}?`."""


@dataclass(frozen=True)
class AnswerForms(Topic):
    """What a sentence has if it tells a date or a place, and the clauses around a candidate for a short answer."""

    uses = (Calendar,)

    date: re.Pattern[str]
    """A year, a month with its day, a century, or what looks like one."""
    named_month: re.Pattern[str]
    """A month, where its name is no other word."""
    place: re.Pattern[str]
    """A name after a preposition of place, as the group `place`."""
    intent: re.Pattern[str]
    """What was planned: `was to be launched`."""
    planned: re.Pattern[str]
    """Before a number that was only planned, up to its start: `designed for 32 minutes`."""
    clause_boundary: re.Pattern[str]
    """The boundary before a clause with its own subject; not before `, and survived`."""
    copula: re.Pattern[str]
    """Before a name that something is, up to its start: `was the`."""
    item_boundary: re.Pattern[str]
    """The boundary between items of a list that may have different dates: `Spirit in Gusev and Opportunity on …`."""
    predicate_boundary: re.Pattern[str]
    """The boundary between predicates of one subject: `launched on 30 May and landed on 2 June`."""


@dataclass(frozen=True)
class Definitions(Topic):
    """How a language asks and tells what something is."""

    question: re.Pattern[str]
    """A whole question for what a thing is, in any case, with its marks; group `thing`."""
    class_told: re.Pattern[str]
    """Words after a thing that tell what it is, in any case: `is a`, `means`."""


@dataclass(frozen=True)
class PointingWords(Topic):
    """Words that point to something named before; lower-cased."""

    pronouns: frozenset[str]
    """Of the third person, possessives included."""
    no_pointer: re.Pattern[str]
    """A demonstrative that points to nothing said before: `these days`, `this is`."""
    conjunctions: frozenset[str]
    """Those that are also a conjunction: `that`."""
    auxiliaries: frozenset[str]
    """Verbs after which a verb may follow the noun of a demonstrative."""
    verb_form: re.Pattern[str]
    """A word that is no noun, by its ending."""
    asking: tuple[str, ...]
    """Content words that a question back may use though nobody said them before."""
    expletive: re.Pattern[str]
    """A pronoun that refers to nothing: `it rains`, `is it true that`."""


@dataclass(frozen=True)
class QuestionTimes(Topic):
    """Context of times in questions. Patterns of what precedes a time end with `\\Z`, where the time begins."""

    leading: re.Pattern[str]
    """A preposition that is replaced along with a time."""
    present: re.Pattern[str]
    """A verb in the present tense, by which `today` means the present."""
    happens: re.Pattern[str]
    """A word by which `today` means the day."""
    happened: re.Pattern[str]
    """A question for whatever happened at a time, without the time: `what happened`."""
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
    present: re.Pattern[str]
    """The question is about what holds now: `the current rate`, `now`."""


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
