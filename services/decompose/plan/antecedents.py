"""What a pronoun after a question may stand for: its answer, or something that it names."""

from collections.abc import Iterator
from typing import Final

from libs.language.topics.grammar import Inflection, NounPhrases
from libs.language.topics.plans import Descriptions, JoinedQuestions
from libs.text.names import find_names
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.phrases import Phrase, find_phrases
from services.decompose.words.question_words import QuestionWords

_THING: Final = "thing"
_PERSON: Final = "person"
_PLURAL: Final = "plural"
PLACE: Final = "place"
"""The class of "there"; whatever is no person may be a place, unless a place is asked for."""


class Antecedents:
    """The candidates of one question, the likeliest first, with the classes of pronouns that they agree with."""

    def __init__(self, question: str, answer: str, domain: Domain, language: str) -> None:
        """`answer` stands for the question's answer: `#1`."""
        self._text = question
        self._answer = answer
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._grammar = (read := QuestionWords(question, language)).grammar
        self._phrases = find_phrases(question, language)
        begin = next((at for at, word in enumerate(read.words[:2]) if word in self._forms.nominal), len(read.words))
        self._is_led = begin == 1
        """Whether a preposition leads the question: `in which`."""
        self._asked, self._follower = [*read.words[begin : begin + 2], "", ""][:2]
        """The question word for a thing or person, and the word after it; empty without one."""
        self._asked_noun = self._noun_after(read.words, begin)
        self._candidates = tuple(self._read_candidates())

    def of(self, classes: frozenset[str], taken: frozenset[str]) -> str | None:
        """What a pronoun of some classes stands for; None if nothing that isn't `taken` agrees with it."""
        agreeing = (text for text, known in self._candidates if not classes.isdisjoint(known) and text not in taken)
        return next(agreeing, None)

    def _read_candidates(self) -> Iterator[tuple[str, frozenset[str]]]:
        """The answer first if the question asks for a thing or person; attributes last: `the price of the AX-220`."""
        asks_place, place = self._forms.asks_place.match(self._text), frozenset((PLACE,))
        yield self._answer, self._answer_classes() | (place if self._is_led and not asks_place else frozenset())
        for phrase in sorted(filter(self._is_named, self._phrases), key=self._is_attribute):
            classes = self._forms.name_classes if phrase.is_name else self._classes(phrase.head, phrase.determiner)
            is_place = not asks_place and _PERSON not in classes
            yield self._with_determiner(phrase), classes | (place if is_place else frozenset())
        for name in find_names(self._text, self._language):  # "Britpop's roots"
            if name.is_sure:
                yield name.text, self._forms.name_classes

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        if identity := self._forms.identity.fullmatch(self._text):
            asks_name = identity.groupdict().get("name", "") is not None
            return self._classes_of_described(identity["named"], asks_name)
        if not self._asked_noun and self._asked not in self._forms.determiners:
            return frozenset()
        is_one_of = self._follower in self._grammar.prepositions
        return self._classes(self._asked_noun, self._asked) | (self._forms.name_classes if is_one_of else frozenset())

    def _classes_of_described(self, named: str, asks_name: bool) -> frozenset[str]:
        """Those of what has to be found: `the father of Ann`; none for `Ann` or `the refund policy`."""
        phrase = next(iter(find_phrases(named, self._language)), Phrase(named, True, "", 0))
        is_role = is_among(phrase.head, self._domain.unique_roles, self._language)
        if not (asks_name or is_role or any(map(Descriptions.of(self._language).picks_one, named.lower().split()))):
            return frozenset()
        return self._classes(phrase.head, self._asked if self._asked in self._forms.determiners else phrase.determiner)

    def _noun_after(self, words: list[str], begin: int) -> str:
        """The noun after "which" or "what"; empty if there is none."""
        openers = self._grammar.determiners | self._grammar.prepositions
        first = next(iter(self._phrases), None)
        return first.head if first and self._asked and openers.issuperset(words[begin + 1 : first.first]) else ""

    def _classes(self, noun: str, determiner: str) -> frozenset[str]:
        """The classes of a noun: those that its determiner tells, or else its number and what it means."""
        forms, language, one = self._forms, self._language, singular(noun, self._language)
        if told := forms.determiners.get(determiner):
            return frozenset(told)
        if noun != one:
            return frozenset((_PLURAL,))
        if one in self._grammar.person_titles | forms.persons:
            return frozenset((_PERSON, _PLURAL))
        if one in forms.collectives:
            return frozenset((_THING, _PLURAL))
        is_agent = one.endswith(forms.person_endings) and not is_among(one, self._domain.classes, language)
        return frozenset((_THING, _PERSON) if is_agent else (_THING,))

    def _is_attribute(self, phrase: Phrase) -> bool:
        return is_among(phrase.head, self._domain.relations, self._language)

    def _is_named(self, phrase: Phrase) -> bool:
        """Whether a phrase names something that is neither an action nor what is asked for."""
        is_action = not phrase.determiner and phrase.text.endswith(Inflection.of(self._language).continuous_endings)
        return not is_action and phrase.head != self._asked_noun

    def _with_determiner(self, phrase: Phrase) -> str:
        """A phrase for use in another question: as it stands, but definite."""
        stays = phrase.determiner in {*self._forms.determiners, *self._grammar.possessives}
        if not phrase.determiner or stays:
            return f"{phrase.determiner} {phrase.text}".strip()
        return NounPhrases.of(self._language).definite.format(name=phrase.text)
