"""What a pronoun after a question may stand for: its answer, its subject, or something else that it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Grammar
from libs.text.tokens import is_third_person_pronoun, tokenize
from services.decompose.plan.events import subject_of
from services.decompose.plan.question_words import QuestionWords
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.noun_groups import NounGroup, NounGroupReader
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

_THING, _PERSON, _PLURAL = "thing", "person", "plural"
_ANY = frozenset((_THING, _PERSON, _PLURAL))


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words that may take a pronoun's place."""

    text: str
    classes: frozenset[str]
    """The classes of pronouns that they agree with."""


class Antecedents:
    """The candidates of one question, the likeliest first."""

    def __init__(self, question: str, number: int, domain: Domain, language: str) -> None:
        """The question's answer is `#number`."""
        by_agreement = language_of(language).capitalises_nouns
        reader = _ByAgreement(question, language) if by_agreement else _ByOrder(question, domain, language)
        self._reader, self._answer = reader, f"#{number}"
        self._candidates = tuple(reader.candidates(self._answer))

    def of(self, classes: frozenset[str], taken: frozenset[str]) -> str | None:
        """What a pronoun of some classes stands for; None if nothing agrees with it.

        Args:
            classes: the pronoun's.
            taken: what other pronouns of the same question stand for.
        """
        agreeing = (each.text for each in self._candidates if not classes.isdisjoint(each.classes))
        return next((text for text in agreeing if text not in taken), None)

    def of_noun(self, noun: str) -> str | None:
        """What "the" with a noun means: the answer if the question asks for one, or what it names; None if neither."""
        return self._reader.of_noun(noun, self._answer)


class _ByOrder:
    """Reads a language in which the order of words tells the subject."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._grammar = Grammar.of(language)
        self._words = [token.text.lower() for token in tokenize(question)]
        self._subject = subject_of(question, domain, language)

    def candidates(self, answer: str) -> Iterator[Candidate]:
        """Yield the answer first if the question asks for a thing or person, and last if only "what" asks for it."""
        phrases = [phrase for phrase in find_phrases(self._question, language=self._language) if self._is_thing(phrase)]
        if classes := self._answer_classes():
            yield Candidate(answer, classes)
        if self._subject and not self._is_attribute(self._subject) and not self._has_pronoun(self._subject):
            yield Candidate(self._definite(self._subject, phrases), self._classes_of(self._subject))
        for phrase in sorted(phrases, key=lambda each: self._is_attribute(each.head)):
            yield Candidate(self._text(phrase), self._classes(phrase))
        for phrase in phrases:
            if phrase.kind.is_name:
                yield Candidate(self._text(phrase), _ANY)
        if self._words[:1] == ["what"] and not self._has_pronoun(self._question):
            yield Candidate(answer, frozenset((_THING,)))

    def of_noun(self, noun: str, answer: str) -> str | None:
        """The answer if the question asks for such a noun; else a name with it, if the noun is a class of things."""
        if noun == self._asked_noun(self._question_words()):
            return answer
        is_class = is_among(noun, self._domain.classes, self._language) and noun not in self._words
        names = (each.text for each in find_phrases(self._question, language=self._language) if each.kind.is_name)
        name = next(names, None) if is_class else None
        return name and f"the {name} {noun}"

    def _question_words(self) -> list[str]:
        """The words from the question word on."""
        words = self._words
        return words[1:] if words[:1] and words[0] in self._grammar.prepositions else words

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        forms, question = self._forms, self._question_words()
        if named := forms.identity.fullmatch(self._question):
            return self._classes_of(named["named"]) if self._is_described(named) else frozenset()
        if not question or question[0] not in forms.nominal:
            return frozenset()
        if question[0] in forms.personal:
            return frozenset((_PERSON, _PLURAL))
        noun = self._asked_noun(question)
        if noun:
            return self._classes_of(noun) | ({_THING, _PERSON} if question[1] == "of" else frozenset())
        is_subject = len(question) > 1 and question[1] not in self._grammar.auxiliaries
        return frozenset((_THING,)) if is_subject else frozenset()

    def _asked_noun(self, words: list[str]) -> str:
        """The noun after "which" or "what"; empty if a verb follows at once."""
        run: list[str] = []
        for word in words[1:]:
            if word == "of" and not run:
                continue
            if word in self._grammar.determiners and not run:
                continue
            is_end = word in self._grammar.auxiliaries or word in self._grammar.prepositions
            if is_end or word in self._grammar.determiners or (run and self._is_verb(word)):
                break
            if not run and self._is_verb(word) and not self._is_noun(word):
                break
            run.append(word)
        is_cut_by_verb = len(run) > 1 and not self._is_noun(run[-1])
        return (run[0] if is_cut_by_verb else run[-1]) if run else ""

    def _is_verb(self, word: str) -> bool:
        question = QuestionWords(word, self._domain, self._language)
        return question.is_finite(word)

    def _is_noun(self, word: str) -> bool:
        return QuestionWords(word, self._domain, self._language).is_known_noun(0)

    def _is_described(self, named: re.Match[str]) -> bool:
        """Whether an identity has to be found: `the father of Ann`, not `Ann`, and not `the refund policy`."""
        text = named["named"]
        if named["name"] or named["called"]:
            return True
        words = text.lower().split()
        question = QuestionWords(text, self._domain, self._language)
        is_role = is_among(self._head(text), self._domain.unique_roles, self._language)
        if self._words[0] in self._forms.personal:
            phrases = find_phrases(text, language=self._language)
            plain = text.removeprefix("the ")
            return not any(each.kind.is_name and each.text == plain for each in phrases)
        return is_role or any(map(question.picks_one, words))

    def _classes_of(self, text: str) -> frozenset[str]:
        """The classes of a noun, or of a phrase by its head."""
        head = self._head(text)
        one = singular(head, self._language)
        forms, grammar = self._forms, self._grammar
        if head != one and head not in forms.singular_nouns:
            return frozenset((_PLURAL,))
        if one in grammar.person_titles or one in forms.persons:
            return frozenset((_PERSON, _PLURAL))
        if one in forms.collectives:
            return frozenset((_THING, _PLURAL))
        if is_among(one, self._domain.unique_roles, self._language):
            return frozenset((_PERSON, _THING))
        is_agent = one.endswith(forms.person_endings) and not is_among(one, self._domain.classes, self._language)
        return frozenset((_THING, _PERSON)) if is_agent else frozenset((_THING,))

    def _classes(self, phrase: Phrase) -> frozenset[str]:
        if not phrase.kind.is_name:
            return self._classes_of(phrase.head)
        if phrase.kind is not PhraseKind.NAME or phrase.tail:
            return frozenset((_THING,))
        return frozenset((_THING, _PERSON)) | ({_PLURAL} if phrase.text.endswith("s") else frozenset())

    def _is_thing(self, phrase: Phrase) -> bool:
        is_asked = phrase.kind is PhraseKind.THING and phrase.head == self._asked_noun(self._question_words())
        return phrase.kind is not PhraseKind.DATE and not is_asked and not self._has_pronoun(phrase.determiner)

    def _has_pronoun(self, text: str) -> bool:
        return any(is_third_person_pronoun(word, self._language) for word in text.split())

    def _is_attribute(self, text: str) -> bool:
        """Whether words are an attribute of something else: `the price of the AX-220`."""
        head, domain = self._head(text), self._domain
        is_role = is_among(head, domain.unique_roles, self._language)
        return not is_role and is_among(head, domain.facets | domain.relations, self._language)

    def _head(self, text: str) -> str:
        """The head noun of a phrase, lower-cased: the last word before a preposition or clause."""
        words = [token.text.lower() for token in tokenize(text)]
        ends = self._grammar.prepositions | self._grammar.clause_openers
        end = next((index for index, word in enumerate(words) if index and word in ends), len(words))
        return words[end - 1] if words else ""

    def _text(self, phrase: Phrase) -> str:
        if phrase.kind.is_name and phrase.tail and phrase.determiner in self._grammar.articles:
            return f"the {phrase.text} {phrase.tail}"
        return phrase.with_determiner

    def _definite(self, subject: str, phrases: list[Phrase]) -> str:
        """A subject as it is spoken of again: "a rover" becomes "the rover"."""
        same = next((each for each in phrases if subject.endswith(each.text) and subject != each.text), None)
        return self._text(same) if same and subject.split()[0].lower() in {"a", "an"} else subject


class _ByAgreement:
    """Reads a language in which gender and number tell what a pronoun stands for."""

    def __init__(self, question: str, language: str) -> None:
        self._question = question
        self._language = language
        self._agreement = Agreement.of(language)
        self._forms = JoinedQuestions.of(language)
        self._nouns = NounGroupReader(question, language)
        self._oblique = RelativeClauses.of(language).oblique_classes

    def candidates(self, answer: str) -> Iterator[Candidate]:
        """Yield the answer, then the noun groups, then what is named without a determiner."""
        words = self._nouns.words
        if classes := self._answer_classes(words):
            yield Candidate(answer, classes)
        for group in self._nouns.groups():
            if group.determiner and not group.determiner.startswith("welche"):
                yield Candidate(self._text(group), self._classes(group))
        for phrase in find_phrases(self._question, language=self._language):
            if phrase.kind.is_name and not phrase.determiner:
                yield Candidate(phrase.text, frozenset("mfn"))

    def of_noun(self, noun: str, answer: str) -> str | None:
        """The answer if the question asks for such a noun."""
        words = self._nouns.words
        places = (index for index, word in enumerate(words[:2]) if word in self._forms.nominal)
        return answer if any(noun in words[place + 1 : place + 3] for place in places) else None

    def _answer_classes(self, words: list[str]) -> frozenset[str]:
        if named := self._forms.identity.fullmatch(self._question):
            group = NounGroupReader(named["named"], self._language).group_at(0)
            return self._classes(group) if group and group.determiner else frozenset()
        for index, word in enumerate(words[:2]):
            if word in self._agreement.asks_person:
                return frozenset(self._agreement.person_classes) & {"m"}
            if word in self._forms.nominal:
                is_oblique = index > 0 and word in self._oblique
                return frozenset(self._oblique[word] if is_oblique else self._agreement.determiners.get(word, ()))
        return frozenset()

    def _text(self, group: NounGroup) -> str:
        return self._nouns.span(group.first, group.last)

    def _classes(self, group: NounGroup) -> frozenset[str]:
        is_oblique = self._nouns.follows_noun(group.first) or self._nouns.follows_preposition(group.first)
        if is_oblique and group.determiner in self._oblique:
            return frozenset(self._oblique[group.determiner])
        return frozenset(self._agreement.determiners.get(group.determiner, ()))
