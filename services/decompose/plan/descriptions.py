"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with the definite article, has a noun, and identifies one thing: by a word such as "first" or
"largest", by a role ("the founder of SpaceX"), or by a clause that contains a name. It ends before the verb that the
question still needs. Pure functions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from libs.contracts.options import Scene
from libs.graph.plan_graph import MAX_NODES
from libs.language.topics.grammar import NounPhrases
from libs.language.topics.plans import Descriptions
from libs.text.tokens import is_stop_word
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import base_form, is_finite, is_past_form
from services.decompose.words.phrases import find_named
from services.decompose.words.question_words import QuestionWords, begins_question

_MAX_WORDS_BEFORE_NOUN = 4  # after its article (taste)
_NEEDS_ORDER: Final = ("infinitive", "phrase")
"""What identifies a thing only with a word such as "first"."""
_STAND_IN: Final = "Xx {number}"
"""Reads like a name with a number, so that all other rules take a described thing for one."""


@dataclass(frozen=True, slots=True)
class _Description:
    """A description, `text[start:end]`, and the question that looks it up."""

    start: int
    end: int
    asks: str
    is_unique: bool
    """Whether a word such as "first" identifies it."""


def take_descriptions(
    text: str, domain: Domain, language: str, unique_only: bool = False, taken: int = 0
) -> tuple[str, Mapping[str, str]]:
    """Return a question with stand-ins for what it describes, and the questions that look these up, by stand-in.

    A description within another is looked up only if it is unique: documents may use the same words. `taken` is the
    number of stand-ins that are in use besides.
    """
    lookups: dict[str, str] = {}
    while (number := taken + len(lookups) + 1) < MAX_NODES[Scene.GENERAL]:
        found = _Reader(text, domain, language).first()
        if found is None or (unique_only and not found.is_unique):
            break
        stand_in = _STAND_IN.format(number=number)
        asks, within = take_descriptions(found.asks, domain, language, unique_only=True, taken=number)
        lookups |= {stand_in: asks, **within}
        text = text[: found.start] + stand_in + text[found.end :]
    return text, lookups


class _Reader:
    """Parses the descriptions of one question."""

    def __init__(self, text: str, domain: Domain, language: str) -> None:
        self._question = QuestionWords(text, language)
        self._words = self._question.words
        self._domain = domain
        self._language = language
        self._forms = Descriptions.of(language)
        self._grammar = self._question.grammar

    def first(self) -> _Description | None:
        """The first description; None if the question asks for that thing itself, or has none."""
        articles = NounPhrases.of(self._language).definite_articles
        for index, word in enumerate(self._words):
            lead = self._question.text[: self._question.tokens[index].start]
            is_asked_for = self._forms.asks_for_it.search(lead) is not None
            may_be = word in articles and begins_question(lead, self._language) and not is_asked_for
            if may_be and (description := self._read(index)):
                return description
        return None

    def _read(self, article: int) -> _Description | None:
        question, noun = self._question, self._noun_after(article)
        if noun is None:
            return None
        is_unique = any(map(self._forms.picks_one, self._words[article + 1 : noun]))
        clause = self._clause_after(noun)
        if not clause or (clause in _NEEDS_ORDER and not is_unique):
            return None
        last = self._last(noun, clause, self._needed_before(article))
        if last is None or not (is_unique or self._identifies(noun + 1, last)):
            return None
        start, end = question.tokens[article].start, question.tokens[last].end
        asks = self._lookup("" if is_unique else clause, article, noun, last)
        return _Description(start, end, asks, is_unique)

    def _noun_after(self, article: int) -> int | None:
        """The head noun, known or before a relative clause, with few words before it."""
        for index in range(article + 1, min(article + 2 + _MAX_WORDS_BEFORE_NOUN, len(self._words))):
            word = self._words[index]
            if is_among(word, self._domain.classes, self._language):
                return index
            is_function_word = is_stop_word(word, self._language) and word not in self._forms.order
            if is_function_word:
                return None
            is_other = word in self._forms.nouns_of_statements or word in self._grammar.adverbs
            if not is_other and self._clause_after(index) == "relative":
                return index
        return None

    def _clause_after(self, noun: int) -> str:
        """The kind of clause that follows a noun; empty if none does."""
        first, second, third = [*self._words[noun + 1 : noun + 4], "", "", ""][:3]
        is_finite_clause = any(is_finite(word, self._language) for word in (second, third))
        is_relative = first in self._forms.relatives and (is_finite_clause or first in self._forms.relative_adverbs)
        kinds = {
            "infinitive": first == self._forms.infinitive_mark and self._is_base(second),
            "relative": is_relative and second not in self._grammar.personal_pronouns,
            "participle": self._is_past(first),
            "phrase": first in self._grammar.prepositions,
        }
        return next((kind for kind, applies in kinds.items() if applies), "")

    def _needed_before(self, index: int) -> Callable[[str], bool]:
        """Which words may be the verb that the question needs after the subject that begins at a token."""
        before = self._words[index - 1] if index else ""
        if before in self._forms.subordinators | self._grammar.be_forms:
            return self._is_past
        return self._is_base if before in self._grammar.auxiliaries else lambda word: False

    def _is_past(self, word: str) -> bool:
        return is_past_form(word, self._language)

    def _is_base(self, word: str) -> bool:
        return base_form(word, self._language) == word or word in self._domain.more_verbs

    def _last(self, noun: int, clause: str, is_needed: Callable[[str], bool]) -> int | None:
        """The index of a description's last word; None if the verb that the question needs does not follow."""
        words, rest = self._words, range(self._behind_own_verb(noun, clause), len(self._words))
        verbs = [index for index in rest if is_needed(words[index])]
        ends = [index for index in rest if index in verbs or self._ends_before(index)]
        if ends[:1] == [rest.start] and len(verbs) > 1:  # "to send close pictures return"
            del ends[0]
        if clause == "participle" and is_needed(words[noun + 1]) and not verbs:
            return None  # "was the rover launched in 2003"
        is_denied = bool(ends) and words[ends[0]] in self._forms.negators  # sources then state it together
        return None if is_denied else ends[0] - 1 if ends else len(words) - 1

    def _behind_own_verb(self, noun: int, clause: str) -> int:
        """The token after the words that open a clause and its verb: "that", "to", and auxiliaries."""
        if clause != "relative":
            return noun + (3 if clause in {"infinitive", "participle"} else 2)
        rest = range(noun + 2, len(self._words))
        verb = next((index for index in rest if is_finite(self._words[index], self._language)), noun + 2)
        return verb + (2 if self._grammar.auxiliaries.intersection(self._words[verb : verb + 1]) else 1)

    def _ends_before(self, index: int) -> bool:
        ends = self._forms.conjunctions | self._forms.negators | self._grammar.auxiliaries
        comparatives = self._domain.adjectives.keys() - self._forms.order
        return self._words[index] in ends | comparatives and self._words[index - 1] not in self._forms.relatives

    def _identifies(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        is_picked = any(map(self._forms.picks_one, self._words[first : last + 1]))
        return is_picked or bool(find_named(self._question.span(first, last), self._language))

    def _lookup(self, clause: str, article: int, noun: int, last: int) -> str:
        """The question that looks a description up, in its own words."""
        span, is_relative = self._question.span, clause == "relative"
        if is_relative and self._words[noun + 1] not in self._forms.relative_adverbs:
            return self._forms.relative_question.format(noun=span(article + 1, noun).lower(), rest=span(noun + 2, last))
        return self._forms.question.format(head=self._words[noun], text=span(article, last))
