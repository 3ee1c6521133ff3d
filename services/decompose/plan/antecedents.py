"""What a pronoun after a question may stand for: its answer, its subject, or something else that it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from libs.language.topics.grammar import Inflection, NounPhrases
from libs.language.topics.plans import JoinedQuestions
from libs.text.tokens import is_third_person_pronoun, tokenize
from services.decompose.plan.question_words import QuestionWords
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

_THING: Final = "thing"
_PERSON: Final = "person"
_PLURAL: Final = "plural"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Words that may take a pronoun's place."""

    text: str
    classes: frozenset[str]
    """The classes of pronouns that they agree with."""


class Antecedents:
    """The candidates of one question, the likeliest first."""

    def __init__(self, question: str, answer: str, domain: Domain, language: str) -> None:
        """`answer` stands for the question's answer: `#1`."""
        self._question = question
        self._answer = answer
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._read = QuestionWords(question, domain, language)
        self._begin = next((at for at, word in enumerate(self._read.words[:2]) if word in self._forms.nominal), None)
        """The place of the question word for a thing or person: "what", "in which"; None without one."""
        self._asked_noun = self._noun_asked_for() if self._begin is not None else ""
        self._candidates = tuple(self._read_candidates())

    def of(self, classes: frozenset[str], taken: frozenset[str]) -> str | None:
        """What a pronoun of some classes stands for; None if nothing that isn't `taken` agrees with it."""
        agreeing = (each.text for each in self._candidates if not classes.isdisjoint(each.classes))
        return next((text for text in agreeing if text not in taken), None)

    def place(self) -> str | None:
        """What "there" means: the answer of "in which …", or the first thing named; None if a place is asked for."""
        if self._forms.asks_place.match(self._question):
            return None
        named = (each for each in self._candidates if each.text != self._answer or self._begin)
        return next((each.text for each in named if _PERSON not in each.classes), None)

    def _read_candidates(self) -> Iterator[_Candidate]:
        """The answer first if the question asks for a thing or person."""
        if classes := self._answer_classes():
            yield _Candidate(self._answer, classes)
        phrases = [each for each in find_phrases(self._question, language=self._language) if self._is_named(each)]
        for phrase in sorted(phrases, key=lambda each: self._is_attribute(each.head)):
            yield _Candidate(self._text(phrase), self._classes(phrase))
        for phrase in phrases:
            if phrase.kind.is_name:
                yield _Candidate(self._text(phrase), self._forms.name_classes | {_PLURAL})

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        forms, words = self._forms, self._read.words
        if named := forms.identity.fullmatch(self._question):
            return self._classes_asked_by(words[0], named["named"]) if self._is_described(named) else frozenset()
        if self._begin is None:
            return frozenset()
        if words[self._begin] in forms.determiners or self._asked_noun:
            is_one_of = words[self._begin + 1] in self._read.grammar.prepositions
            classes = self._classes_asked_by(words[self._begin], self._asked_noun)
            return classes | forms.name_classes if is_one_of else classes
        is_subject = len(words) > 1 and words[1] not in self._read.grammar.auxiliaries
        return frozenset((_THING,)) if is_subject else frozenset()

    def _classes_asked_by(self, word: str, noun: str) -> frozenset[str]:
        determiners = (word, noun.partition(" ")[0].lower())
        told = next((classes for each in determiners if (classes := self._forms.determiners.get(each))), ())
        return frozenset(told) or self._noun_classes(noun)

    def _is_described(self, named: re.Match[str]) -> bool:
        """Whether an identity has to be found: `the father of Ann`, not `Ann`, and not `the refund policy`."""
        words, head = named["named"].lower().split(), self._head(named["named"])
        is_role = is_among(head, self._domain.unique_roles, self._language)
        asks_name = named.groupdict().get("name", "") is not None
        return is_role or asks_name or any(map(self._read.picks_one, words))

    def _noun_asked_for(self) -> str:
        """The noun after "which" or "what"; empty if there is none."""
        read, grammar = self._read, self._read.grammar
        words, openers = read.words[(self._begin or 0) + 1 :], grammar.determiners | grammar.prepositions
        start = next((at for at, word in enumerate(words) if word not in openers), len(words))
        ends = (at for at in range(start, len(words)) if words[at] in grammar.auxiliaries | openers)
        verbs = (at for at in range(start + 1, len(words)) if read.is_finite(words[at]))
        end = min(next(ends, len(words)), next(verbs, len(words)))
        return words[end - 1] if start < end else ""

    def _classes(self, phrase: Phrase) -> frozenset[str]:
        if classes := self._forms.determiners.get(phrase.determiner):
            return frozenset(classes)
        is_bare_name = phrase.kind.is_name and not phrase.tail
        return self._forms.name_classes if is_bare_name else self._noun_classes(phrase.head)

    def _noun_classes(self, text: str) -> frozenset[str]:
        """The classes of a noun, or of a phrase by its head, where no determiner tells them."""
        head, forms, language = self._head(text), self._forms, self._language
        one = singular(head, language)
        if head != one:
            return frozenset((_PLURAL,))
        if one in self._read.grammar.person_titles or one in forms.persons:
            return frozenset((_PERSON, _PLURAL))
        if one in forms.collectives:
            return frozenset((_THING, _PLURAL))
        is_agent = one.endswith(forms.person_endings) and not is_among(one, self._domain.classes, language)
        return frozenset((_THING, _PERSON)) if is_agent else frozenset((_THING,))

    def _is_attribute(self, text: str) -> bool:
        """Whether words are an attribute of something else: `the price of the AX-220`."""
        return is_among(self._head(text), self._domain.relations, self._language)

    def _head(self, text: str) -> str:
        """The head noun of a phrase, lower-cased: the last word before a preposition or clause."""
        words, grammar = [token.text.lower() for token in tokenize(text)], self._read.grammar
        ends = grammar.prepositions | grammar.clause_openers
        end = next((index for index, word in enumerate(words) if index and word in ends), len(words))
        return words[end - 1] if words else ""

    def _is_named(self, phrase: Phrase) -> bool:
        """Whether a phrase names something that is neither a date, nor an action, nor what is asked for."""
        is_action = not phrase.determiner and phrase.text.endswith(Inflection.of(self._language).continuous_endings)
        is_other = not phrase.kind.is_name and (is_action or phrase.head == self._asked_noun)
        is_owned = is_third_person_pronoun(phrase.determiner, self._language)
        return phrase.kind is not PhraseKind.DATE and not is_other and not is_owned

    def _text(self, phrase: Phrase) -> str:
        if phrase.kind.is_name and phrase.tail and phrase.determiner in self._read.grammar.articles:
            return NounPhrases.of(self._language).definite.format(name=f"{phrase.text} {phrase.tail}")
        has_case = phrase.determiner in self._forms.determiners
        return f"{phrase.determiner} {phrase.text}" if has_case else phrase.with_determiner
