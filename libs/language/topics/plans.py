"""Forms of questions that are split into several: read from files by `Topic.of` (LanguageDataError)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class ComparisonForms(Topic):
    """Forms of comparisons. Patterns match a whole question; the two things are the groups `one` and `other`.

    Templates have the groups of the pattern, with `side` for the thing, `base` for the base form of the group `verb`,
    and `question` for how the quality of the group `adjective` is asked for. One with `base` needs a known verb.
    """

    which: re.Pattern[str]
    """What begins a choice between two things: `which `. A part of the patterns."""
    which_noun: re.Pattern[str]
    """The same with a noun: `which rover `."""
    of_two: re.Pattern[str]
    """The two things after a choice: `, Spirit or Opportunity`."""
    adjective: re.Pattern[str]
    """An adjective or adverb in the comparative, where the patterns below need it."""
    compare: re.Pattern[str]
    """A request to compare; the group `quality` if only that is compared."""
    differences: Mapping[str, re.Pattern[str]]
    """Questions for the difference."""
    chosen_by_date: Mapping[str, re.Pattern[str]]
    """`Which was launched earlier`; groups `verb`, `done`, `adjective`."""
    chosen_by_amount: Mapping[str, re.Pattern[str]]
    """`Which took more pictures`; groups `verb`, `more`, `thing`."""
    chosen_by_quality: Mapping[str, re.Pattern[str]]
    """`Which is larger`, `which launched earlier`; groups `verb`, `adjective`."""
    yes_no: Mapping[str, re.Pattern[str]]
    """`Is Jupiter larger than Saturn`; groups `verb`, `adjective`, or `verb`, `more`, `thing`."""
    yes_no_functions: Mapping[str, str]
    """The function of a yes-no question for that of the choice by the same adjective (libs/graph/signatures.py)."""
    be_forms: frozenset[str]
    """Verbs with which the quality is asked for by `quality_question`, not by `action_question`."""
    quality_question: str
    unnamed_quality_question: str
    """For an adjective that the domain doesn't have; `quality` is its last word, if it has several: `more common`."""
    action_question: str
    timed_adjectives: frozenset[str]
    """Adjectives, unknown to the domain, with which an action is asked for by its date."""
    when: str
    """The question word for a date."""
    date_question: str
    amount_question: str
    """Has `quantifier` besides."""
    more: frozenset[str]
    """Words of the group `more` that choose the greater amount."""
    uncounted_more: frozenset[str]
    """Those that stand before uncounted nouns only: `less`."""
    uncounted: frozenset[str]
    """Nouns that are not counted: `water`."""
    quantifiers: Mapping[str, str]
    """`count` and `mass`: `how many`, `how much`."""
    keeps_determiners: bool
    """Whether a thing keeps its determiner in the question about it."""
    quality_of: str
    """A quality of one thing, with `quality` and `side`."""


@dataclass(frozen=True)
class DescriptionForms(Topic):
    """Words of descriptions such as `the craft that first orbited Mars`; lower-cased."""

    order: frozenset[str]
    """Words that pick one of several, besides superlatives: `first`."""
    superlative: re.Pattern[str]
    """A whole word that may be a superlative."""
    no_superlatives: frozenset[str]
    """Other words of that form."""
    relatives: frozenset[str]
    """Relative pronouns."""
    possessive_relatives: frozenset[str]
    place_relatives: frozenset[str]
    """`where`."""
    nouns_of_statements: frozenset[str]
    """Nouns after which `that` begins no relative clause: `the case that`."""
    infinitive_marks: frozenset[str]
    subordinators: frozenset[str]
    """Words before a clause with a subject and a finite verb."""
    ends: frozenset[str]
    """Words that end a description: `before`."""
    negators: frozenset[str]
    conjunctions: frozenset[str]
    """Words between two phrases or clauses."""
    alternatives: frozenset[str]
    """Those that always end a description: `or`."""
    have_forms: frozenset[str]
    """Auxiliaries before a participle, besides those of `be`."""
    finite_verbs: frozenset[str]
    """Auxiliaries that a relative clause begins with."""
    time_prepositions: frozenset[str]
    """Prepositions that begin no description of a thing."""
    partitives: frozenset[str]
    """Words between a superlative and a quantifier: `the farthest of all`."""
    plural_nouns: frozenset[str]
    """Plurals without an ending."""
    singular_nouns: frozenset[str]
    """Singulars with the ending of a plural."""
    asks_for_it: re.Pattern[str]
    """The whole lead of a question that asks for the described thing itself: `which craft was `."""
    was: str
    were: str
    order_question: str
    """Looks up what a word of order picks; templates have `text`, its noun as `head` and, with the words before it, as
    `noun`, the words after it as `rest`, and `verb`."""
    participle_question: str
    possessive_question: str
    place_question: str
    relative_question: str
    owner_preposition: str
    """What stands between a role and its owner: `of`."""
    thing_roles: frozenset[str]
    """Roles of things, not people: `capital`."""
    person_question: str
    """Who has a role, with its description, `text`."""
    thing_question: str
    """What has it."""


@dataclass(frozen=True)
class EnumerationForms(Topic):
    """How several names are joined in a language."""

    together: re.Pattern[str]
    """A word by which a question asks something of all names together: `between`."""
    joint: re.Pattern[str]
    """The whole text between two names: ` and the `."""
    last_joint: re.Pattern[str]
    """What stands between the last two names."""
    singular_verbs: Mapping[str, str]
    """The singular of each plural verb before the names; lower-cased."""


@dataclass(frozen=True)
class MomentForms(Topic):
    """Forms of events and of questions about moments.

    Patterns match a whole question or phrase where nothing else is said; templates have the named parts.
    """

    pronoun: re.Pattern[str]
    """The pronoun that a clause begins with, for something named before."""
    own: re.Pattern[str]
    """An event of something named before, with the group `event`: `its launch`."""
    of_thing: re.Pattern[str]
    """An event of something, groups `event`, `thing`: `the launch of Luna 9`."""
    possessed: re.Pattern[str]
    """The same with the possessor, `thing`, before it: `Luna 9's launch`."""
    event: re.Pattern[str]
    """An event without its thing: `the landing`."""
    action: re.Pattern[str]
    """An event without its subject: `dropping Python 3.6`."""
    named: re.Pattern[str]
    """A bare name, which is not an event."""
    own_question: str
    """`event`, `owner`."""
    noun_question: str
    """`event`."""
    be_question: str
    """`verb`, `subject`, `rest`."""
    action_question: str
    """`subject`, `base`, `rest`."""
    clause_question: str
    """`clause`, which has an unknown verb."""
    clause_opener: str
    """What stands before a clause with a finite verb, with the space: `before `."""
    verb_last: re.Pattern[str]
    """A clause that ends with its finite verb; groups `clause`, `verb`."""
    verb_last_question: str
    """`clause`, `verb`."""
    between: re.Pattern[str]
    """`How many years passed between …`; groups `one`, `other`, and `unit` if there is one."""
    after: re.Pattern[str]
    """`How many days after …`; groups `rest`, which has both moments, and `unit`."""
    how_old: re.Pattern[str]
    """`How old was … when …`; groups `thing`, `predicate`, and `it` for the thing's pronoun."""
    which_first: re.Pattern[str]
    """`Did … before …`; groups `aux`, `main`, `order`, `other`."""
    year_at_start: re.Pattern[str]
    """A question that begins with a year known by an event; groups `event`, `main`."""
    year_at_end: re.Pattern[str]
    """A question that ends with it."""
    near: re.Pattern[str]
    """A question that ends with a time beside an event, `the year before`; groups `main`, `when`, `unit`, `event`."""
    asked_units: Mapping[str, str]
    """How the time of an event is asked for by each word of the group `unit`: `in which year`."""
    near_question: str
    """The same with the event's date: `main`, `when`, `event`."""
    main_clause: re.Pattern[str]
    """The start of a main clause, anywhere."""
    verb_at_end: re.Pattern[str]
    """The repeated auxiliary at the end of the second moment: ` did`."""
    units: Mapping[str, str]
    """The unit of `date_difference` for each word of the group `unit`; lower-cased."""
    persons: frozenset[str]
    """Pronouns for a person."""
    before: frozenset[str]
    """First words of the group `order` for the earlier of two moments."""
    alternatives: frozenset[str]
    """Words of the group `order` that leave it open: `before or after`."""
    born_question: str
    """When a person's age begins, with `thing`."""
    began_question: str
    """When a thing's age begins, with `thing`."""
    when: str
    """The question word for a date."""
    event_of: str
    """`event`, `thing`."""
    same_question: str
    """The same question about another thing: `aux`, `thing`, `predicate`."""
    which_came_first: str
    """What is computed for two things, `one` and `other`."""
    year: str
    """`date`, of which the year is computed."""
    in_year: str
    """`main`, `year`."""
