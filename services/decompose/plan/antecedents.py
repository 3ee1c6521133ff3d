"""What a pronoun after a question may stand for: its answer, or something that it names."""

import re
from collections.abc import Iterator
from typing import Final

from libs.language.topics.grammar import Inflection, NounPhrases
from libs.language.topics.plans import Descriptions, JoinedQuestions
from services.decompose.words.domain import Domain
from services.decompose.words.phrases import Phrase, find_phrases
from services.decompose.words.question_words import QuestionWords

PLACE: Final = "place"
"""The class of "there"; whatever is asked for after a preposition or named may be a place, unless that is asked for."""
_PLURAL: Final = "plural"

Antecedent = tuple[str, frozenset[str]]
"""Words, and the classes of pronouns that they agree with."""


class AntecedentReader:
    """Reads one question."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._text = question
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._told = self._forms.determiners
        self._grammar = (read := QuestionWords(question, language)).grammar
        self._phrases = find_phrases(question, language)
        begin = next((at for at, word in enumerate(read.words[:2]) if word in self._forms.nominal), len(read.words))
        self._is_led = begin == 1
        """Whether a preposition leads the question: `in which`."""
        self._asked = next(iter(read.words[begin:]), "")
        """The question word for a thing or person; empty without one."""
        openers = self._grammar.determiners | self._grammar.prepositions
        before_noun = read.words[begin + 1 : self._phrases[0].first] if self._phrases else read.words
        self._asked_noun = self._phrases[0].head if self._asked and openers.issuperset(before_noun) else ""
        """The noun after "which" or "what"; empty if there is none."""

    def antecedents(self, answer: str) -> Iterator[Antecedent]:
        """Yield what the question offers, the likeliest first; `answer` stands for what it finds: `#1`.

        The answer is first if the question asks for a thing or person; attributes are last: `the price of the AX-220`.
        """
        place = frozenset[str]() if self._forms.asks_place.match(self._text) else frozenset((PLACE,))
        yield answer, self._answer_classes() | (place if self._is_led else frozenset())
        named = [phrase for phrase in self._phrases if phrase.head != self._asked_noun]
        for phrase in sorted(named, key=lambda phrase: phrase.head in self._domain.relations):
            yield self._with_determiner(phrase), self._classes(phrase) | place

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        identity = self._forms.identity.fullmatch(self._text)
        is_found = self._has_to_be_found(identity) if identity else self._asked_noun or self._asked in self._told
        return frozenset(self._told.get(self._asked, self._forms.name_classes) if is_found else ())

    def _has_to_be_found(self, identity: re.Match[str]) -> bool:
        """Whether a question asks who or what something is that it describes: `the father of Ann`, not `Ann`."""
        head = next((phrase.head for phrase in find_phrases(identity["named"], self._language)), "")
        is_unique = any(map(Descriptions.of(self._language).picks_one, identity["named"].lower().split()))
        return is_unique or head in self._domain.unique_roles or identity["name"] is not None

    def _classes(self, phrase: Phrase) -> frozenset[str]:
        """The classes of a phrase: those that its determiner tells, or else plural by its ending, or any."""
        suffix = Inflection.of(self._language).plural_suffix
        is_plural = not phrase.is_name and bool(suffix) and phrase.head.endswith(suffix)
        plain = (_PLURAL,) if is_plural and not phrase.head.endswith(2 * suffix) else self._forms.name_classes
        return frozenset(self._told.get(phrase.determiner, plain))

    def _with_determiner(self, phrase: Phrase) -> str:
        """A phrase for use in another question: as it stands, but definite."""
        stays = phrase.determiner in {*self._told, *self._grammar.possessives}
        if not phrase.determiner or stays:
            return f"{phrase.determiner} {phrase.text}".strip()
        return NounPhrases.of(self._language).definite.format(name=phrase.text)
