"""The words of a question: which may be a noun, a superlative, or the verb that a question still needs. Pure."""

from dataclasses import dataclass
from enum import Enum, auto

from libs.language.topics.grammar import Grammar, Inflection
from libs.language.topics.plans import Descriptions
from libs.text.tokens import tokenize
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import base_form, is_past_form

_MIN_PAST = 4
"""Letters up to which a past ending says little ("red", "need"); a longer word is a verb, known or not (taste)."""


class VerbForm(Enum):
    """The verb form that a question still needs after a subject."""

    NONE = auto()
    BASE = auto()
    """ "did the craft … launch"."""
    PAST = auto()
    """ "was the craft … launched", "before the craft … launched"."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A question's auxiliary, its subject and what follows."""

    auxiliary: str
    subject: str
    predicate: str


class QuestionWords:
    """The tokens of a text in a language; `words` are lower-cased."""

    def __init__(self, text: str, domain: Domain, language: str) -> None:
        self.text = text
        self.domain = domain
        self.language = language
        self.tokens = tokenize(text)
        self.words = [token.text.lower().replace("’", "'") for token in self.tokens]
        self.forms = Descriptions.of(language)
        self.grammar = Grammar.of(language)

    def adjoins(self, index: int) -> bool:
        """Whether a token exists and only white space separates it from the one before it."""
        within = 0 < index < len(self.tokens)
        return within and not self.text[self.tokens[index - 1].end : self.tokens[index].start].strip()

    def span(self, first: int, last: int) -> str:
        """The text from one token to another, inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def clause(self) -> Clause | None:
        """The clause of a question with "be" or "do" first or after its question word; None if it is not clear."""
        auxiliaries = self.grammar.be_forms | self.grammar.do_support
        place = next((index for index, word in enumerate(self.words[:2]) if word in auxiliaries), None)
        if place is None:
            return None
        ends = range(place + 2, len(self.words))
        end = next((index for index in ends if self.is_verb(index, self.awaited_before(place + 1))), None)
        if end is None:
            return None
        return Clause(self.words[place], self.span(place + 1, end - 1), self.span(end, len(self.words) - 1))

    def awaited_before(self, index: int) -> VerbForm:
        """The verb form that the question needs, by the word before the subject that begins at a token."""
        grammar, before = self.grammar, self.words[index - 1] if index else ""
        if before in self.forms.subordinators | grammar.be_forms:
            return VerbForm.PAST
        return VerbForm.BASE if before in grammar.auxiliaries else VerbForm.NONE

    def is_verb(self, index: int, form: VerbForm) -> bool:
        """Whether a token may be a verb in a form, by its word."""
        word = self.words[index]
        if self.tokens[index].is_capitalised or form is VerbForm.NONE:
            return False
        return self.is_base(word) if form is VerbForm.BASE else is_past_form(word, self.language)

    def is_known_noun(self, index: int) -> bool:
        """Whether a token is a noun that the domain knows, or a person's title."""
        if index >= len(self.words):
            return False
        word, domain = self.words[index], self.domain
        nouns = domain.classes | domain.unique_roles | self.grammar.person_titles
        return is_among(word, nouns, self.language)

    def picks_one(self, word: str) -> bool:
        """Whether a word identifies one thing: "first", "largest", "longest-lived"."""
        head = word.partition("-")[0]
        is_superlative = self.forms.superlative.fullmatch(head) is not None and head not in self.forms.no_superlatives
        return word in self.forms.order or is_superlative

    def is_base(self, word: str) -> bool:
        """Whether a word is a verb in its base form."""
        return base_form(word, self.language) == word or word in self.domain.more_verbs

    def is_finite(self, word: str) -> bool:
        """Whether a word in verb position is a finite verb: a known one, or by its ending."""
        has_ending = word.endswith(Inflection.of(self.language).past_endings) and len(word) > _MIN_PAST
        is_third_person = word.endswith(self.forms.present_ending) and base_form(word, self.language) not in {
            None,
            word,
        }
        is_known = is_past_form(word, self.language) or word in self.forms.finite_verbs
        return is_known or has_ending or is_third_person


def begins_question(text: str, language: str) -> bool:
    """Whether a text begins as a question does: with a question word, after a preposition or not, or a verb."""
    grammar, tokens = Grammar.of(language), tokenize(text)[:2]
    first, second, *_ = [*(token.text.lower().replace("’", "'") for token in tokens), "", ""]
    is_verb = first in grammar.auxiliaries and not first.endswith(Inflection.of(language).copula_marks)  # "that's"
    return first in grammar.wh_words or is_verb or (first in grammar.prepositions and second in grammar.wh_words)
