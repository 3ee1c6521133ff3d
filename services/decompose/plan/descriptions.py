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
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import find_named
from services.decompose.words.question_words import QuestionWords, is_finite, is_past_form

_MAX_WORDS_BEFORE_NOUN = 4  # after its article (taste)
_STAND_IN: Final = "Xx {number}"
"""Reads like a name with a number, so that all other rules take a described thing for one."""


@dataclass(frozen=True, slots=True)
class _Description:
    """A description, `text[start:end]`, and the question that looks it up."""

    start: int
    end: int
    asks: str


def take_descriptions(text: str, domain: Domain, language: str, taken: int = 0) -> tuple[str, Mapping[str, str]]:
    """Return a question with stand-ins for what it describes, and the questions that look these up, by stand-in.

    `taken` is the number of stand-ins that are in use besides.
    """
    lookups: dict[str, str] = {}
    while (number := taken + len(lookups) + 1) < MAX_NODES[Scene.GENERAL]:
        found = _Reader(text, domain, language).first()
        if found is None:
            break
        stand_in = _STAND_IN.format(number=number)
        asks, within = take_descriptions(found.asks, domain, language, number)
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
        articles = NounPhrases.of(self._language).definite_articles if self._question.begins_question else ()
        for index, word in enumerate(self._words):
            lead = self._question.text[: self._question.tokens[index].start]
            may_be = word in articles and self._forms.asks_for_it.search(lead) is None
            if may_be and (description := self._read(index)):
                return description
        return None

    def _read(self, article: int) -> _Description | None:
        span, noun = self._question.span, self._noun_after(article)
        if noun is None:
            return None
        is_unique = any(map(self._forms.picks_one, self._words[article + 1 : noun]))
        is_relative, follower = self._is_relative(noun + 1), next(iter(self._words[noun + 1 :]), "")
        is_phrase = is_unique and follower in self._grammar.prepositions
        is_needed = self._needed_before(article)
        is_participle = self._is_past(follower) and not is_needed(follower)  # unlike "was the rover launched in 2003"
        if not (is_relative or is_phrase or is_participle):
            return None
        last = self._last(noun, is_relative, is_needed)
        if last is None or not (is_unique or self._identifies(noun + 1, last)):
            return None
        asks = self._forms.question.format(head=self._words[noun], text=span(article, last))
        if is_relative and not is_unique and follower not in self._forms.relative_adverbs:
            noun_words, rest = span(article + 1, noun).lower(), span(noun + 2, last)
            asks = self._forms.relative_question.format(noun=noun_words, rest=rest)
        return _Description(self._question.tokens[article].start, self._question.tokens[last].end, asks)

    def _noun_after(self, article: int) -> int | None:
        """The head noun, known or before a relative clause, with few words before it."""
        for index in range(article + 1, min(article + 2 + _MAX_WORDS_BEFORE_NOUN, len(self._words))):
            word = self._words[index]
            if word in self._domain.classes:
                return index
            is_function_word = is_stop_word(word, self._language) and word not in self._forms.order
            if is_function_word:
                return None
            is_other = word in self._forms.nouns_of_statements or word in self._grammar.adverbs
            if not is_other and self._is_relative(index + 1):
                return index
        return None

    def _is_relative(self, index: int) -> bool:
        """Whether a clause with a verb of its own begins at a token: `that first orbited`."""
        first, second, third = [*self._words[index : index + 3], "", "", ""][:3]
        has_verb = any(is_finite(word, self._language) for word in (second, third))
        is_clause = first in self._forms.relatives and second not in self._grammar.personal_pronouns
        return is_clause and (has_verb or first in self._forms.relative_adverbs)

    def _needed_before(self, index: int) -> Callable[[str], bool]:
        """Which words may be the verb that the question needs after the subject that begins at a token."""
        before = self._words[index - 1] if index else ""
        if before in self._forms.subordinators | self._grammar.be_forms:
            return self._is_past
        bases = self._grammar.base_verbs | self._domain.more_verbs
        return bases.__contains__ if before in self._grammar.auxiliaries else lambda word: False

    def _is_past(self, word: str) -> bool:
        return is_past_form(word, self._language)

    def _last(self, noun: int, is_relative: bool, is_needed: Callable[[str], bool]) -> int | None:
        """The index of a description's last word; None if what follows is denied: sources then state it together."""
        rest = range(self._behind_own_verb(noun + 1) if is_relative else noun + 3, len(self._words))
        ends = [index for index in rest if is_needed(self._words[index]) or self._ends_before(index)]
        if ends[:1] == [rest.start] and any(is_needed(self._words[index]) for index in ends[1:]):
            del ends[0]  # "to send close pictures return"
        if not ends:
            return len(self._words) - 1
        return None if self._words[ends[0]] in self._forms.negators else ends[0] - 1

    def _behind_own_verb(self, first: int) -> int:
        """The token after the verb of the relative clause that begins at a token, and after an auxiliary of it."""
        rest = range(first + 1, len(self._words))
        verb = next((index for index in rest if is_finite(self._words[index], self._language)), first + 1)
        return verb + (2 if self._grammar.auxiliaries.intersection(self._words[verb : verb + 1]) else 1)

    def _ends_before(self, index: int) -> bool:
        ends = self._forms.conjunctions | self._forms.negators | self._grammar.auxiliaries
        comparatives = self._domain.adjectives.keys() - self._forms.order
        return self._words[index] in ends | comparatives and self._words[index - 1] not in self._forms.relatives

    def _identifies(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        is_picked = any(map(self._forms.picks_one, self._words[first : last + 1]))
        return is_picked or bool(find_named(self._question.span(first, last), self._language))
