"""The words of a question: which may be a known noun, a superlative, or a verb in some form.

Other modules find by it where a description, a subject or a question phrase ends: before the verb that is still needed.
"""

from enum import Enum, auto
from functools import cached_property

from libs.language.topics.clauses import ClauseParts
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import DescriptionForms
from libs.text.tokens import tokenize
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.grammar import base_form, is_past_form

_MIN_PAST = 4
"""Letters up to which a past ending says little ("red", "need"): a longer word that has one is a verb, known or not
(taste)."""


class VerbForm(Enum):
    """The verb form that a question still needs after a subject."""

    NONE = auto()
    BASE = auto()
    """ "did the craft … launch"."""
    PARTICIPLE = auto()
    """ "was the craft … launched"."""
    FINITE = auto()
    """ "before the craft … launched"."""


class QuestionWords:
    """The tokens of a text in a language; `words` are lower-cased."""

    def __init__(self, text: str, domain: Domain, language: str) -> None:
        self.text = text
        self.domain = domain
        self.language = language
        self.tokens = tokenize(text)
        self.words = [token.text.lower() for token in self.tokens]
        self.forms = DescriptionForms.of(language)
        self.grammar = Grammar.of(language)

    def adjoins(self, index: int) -> bool:
        """Whether only white space separates a token from the one before it; `index` is at least 1."""
        return not self.text[self.tokens[index - 1].end : self.tokens[index].start].strip()

    def span(self, first: int, last: int) -> str:
        """The text from one token to another, inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def awaited_before(self, index: int) -> VerbForm:
        """The verb form that the question needs, by the word before the subject that begins at a token."""
        grammar, before = self.grammar, self.words[index - 1] if index else ""
        if before in grammar.do_support:
            return VerbForm.BASE
        if before in grammar.be_forms or before in self.forms.have_forms:
            return VerbForm.PARTICIPLE
        if before in self.forms.subordinators:
            return VerbForm.FINITE
        return VerbForm.BASE if before in grammar.auxiliaries else VerbForm.NONE

    def is_verb(self, index: int, form: VerbForm) -> bool:
        """Whether a token may be a verb in a form, by its word and the words before it."""
        word, before = self.words[index], self.words[index - 1] if index else ""
        if self.tokens[index].is_capitalised or form is VerbForm.NONE or self._needs_noun(index):
            return False
        if before in self.grammar.adverbs and index > 1 and self.words[index - 2] in self.forms.relatives:
            return False
        if form is VerbForm.BASE:
            return self.is_base(word)
        return self.is_past(word) or (form is VerbForm.FINITE and self.is_third_person(word))

    def _needs_noun(self, index: int) -> bool:
        """Whether a noun follows the word before: "the launch", but not "the farthest of all launch"."""
        before, forms, grammar = self.words[index - 1] if index else "", self.forms, self.grammar
        is_joint = before in forms.conjunctions or before in forms.relatives or before in forms.infinitive_marks
        is_partitive = index > 1 and self.words[index - 2] in forms.partitives
        follows_determiner = before in grammar.determiners and not is_partitive
        return is_joint or follows_determiner or before in grammar.prepositions or before in grammar.auxiliaries

    def is_known_noun(self, index: int) -> bool:
        """Whether a token is a noun that the domain knows, or a person's title."""
        word, domain, language = self.words[index], self.domain, self.language
        is_listed = is_among(word, domain.classes, language) or is_among(word, domain.described, language)
        return is_listed or self.is_role(index, index) or singular(word, language) in self.grammar.person_titles

    def is_role(self, first: int, last: int) -> bool:
        """Whether tokens are a role that one person or thing has in another: "founder", "prime minister"."""
        return " ".join(self.words[first : last + 1]) in self.domain.unique_roles

    def is_plural(self, index: int) -> bool:
        """Whether a noun is plural."""
        noun = self.words[index]
        has_ending = singular(noun, self.language) != noun and noun not in self.forms.singular_nouns
        return noun in self.forms.plural_nouns or has_ending

    def picks_one(self, word: str) -> bool:
        """Whether a word identifies one thing: "first", "largest", "longest-lived"."""
        head = word.partition("-")[0]
        is_superlative = self.forms.superlative.fullmatch(head) is not None and head not in self.forms.no_superlatives
        return word in self.forms.order or is_superlative

    def is_base(self, word: str) -> bool:
        """Whether a word is a verb in its base form."""
        return base_form(word, self.language) == word or word in self.domain.more_verbs

    def is_past(self, word: str) -> bool:
        """Whether a word is a past form of a known verb."""
        return is_past_form(word, self.language)

    def is_third_person(self, word: str) -> bool:
        """Whether a word is a known verb in the third person."""
        ending = ClauseParts.of(self.language).present_ending
        return word.endswith(ending) and base_form(word, self.language) not in {None, word}

    def is_finite(self, word: str) -> bool:
        """Whether a word in verb position is a finite verb: a known one, or by its ending."""
        has_ending = word.endswith(self._past_endings) and len(word) > _MIN_PAST
        return self.is_past(word) or has_ending or word in self.forms.finite_verbs or self.is_third_person(word)

    @cached_property
    def _past_endings(self) -> tuple[str, ...]:
        return Inflection.of(self.language).past_endings


def begins_question(text: str, language: str) -> bool:
    """Whether a text begins as a question does: with a question word, after a preposition or not, or a verb."""
    grammar, first = Grammar.of(language), _first_words(text)[0]
    is_verb = first in grammar.auxiliaries and not first.endswith(Inflection.of(language).copula_marks)  # "that's"
    return first in grammar.wh_words or is_verb or begins_late(text, language)


def begins_late(text: str, language: str) -> bool:
    """Whether a text begins with a preposition and a question word: "in which city"."""
    grammar, (first, second) = Grammar.of(language), _first_words(text)
    return first in grammar.prepositions | JoinedQuestions.of(language).openers and second in grammar.wh_words


def _first_words(text: str) -> tuple[str, str]:
    first, second, *_ = [*(token.text.lower().replace("’", "'") for token in tokenize(text)[:2]), "", ""]
    return first, second
