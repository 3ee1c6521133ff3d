"""What a pronoun after a question may stand for: its answer, or something that it names."""

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


def antecedents_of(question: str, answer: str, domain: Domain, language: str) -> Iterator[Antecedent]:
    """Yield what a question offers, the likeliest first; `answer` stands for what it finds: `#1`."""
    return _Reader(question, domain, language).antecedents(answer)


class _Reader:
    """Reads one question."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._text = question
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
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
        self._is_one_of = not self._grammar.prepositions.isdisjoint(before_noun)

    def antecedents(self, answer: str) -> Iterator[Antecedent]:
        """The answer first if the question asks for a thing or person; attributes last: `the price of the AX-220`."""
        place = frozenset[str]() if self._forms.asks_place.match(self._text) else frozenset((PLACE,))
        yield answer, self._answer_classes() | (place if self._is_led else frozenset())
        named = [phrase for phrase in self._phrases if phrase.head != self._asked_noun]
        for phrase in sorted(named, key=lambda phrase: phrase.head in self._domain.relations):
            yield self._with_determiner(phrase), self._classes(phrase.head, phrase.determiner, phrase.is_name) | place

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        if identity := self._forms.identity.fullmatch(self._text):
            return self._classes_of_described(identity["named"], identity["name"] is not None)
        if not self._asked_noun and self._asked not in self._forms.determiners:
            return frozenset()
        return self._classes(self._asked_noun, self._asked, self._is_one_of)

    def _classes_of_described(self, named: str, asks_name: bool) -> frozenset[str]:
        """Those of what has to be found: `the father of Ann`; none for `Ann` or `the refund policy`."""
        phrase = next(iter(find_phrases(named, self._language)), Phrase(named, True, "", 0))
        is_role = phrase.head in self._domain.unique_roles
        if not (asks_name or is_role or any(map(Descriptions.of(self._language).picks_one, named.lower().split()))):
            return frozenset()
        return self._classes(phrase.head, self._asked if self._asked in self._forms.determiners else phrase.determiner)

    def _classes(self, noun: str, determiner: str, is_any: bool = False) -> frozenset[str]:
        """The classes of a noun: those that its determiner tells, or else plural by its ending, or any."""
        suffix = Inflection.of(self._language).plural_suffix
        is_plural = bool(suffix) and noun.endswith(suffix) and not noun.endswith(2 * suffix)
        plain = frozenset((_PLURAL,)) if is_plural and not is_any else self._forms.name_classes
        return frozenset(self._forms.determiners.get(determiner, plain))

    def _with_determiner(self, phrase: Phrase) -> str:
        """A phrase for use in another question: as it stands, but definite."""
        stays = phrase.determiner in {*self._forms.determiners, *self._grammar.possessives}
        if not phrase.determiner or stays:
            return f"{phrase.determiner} {phrase.text}".strip()
        return NounPhrases.of(self._language).definite.format(name=phrase.text)
