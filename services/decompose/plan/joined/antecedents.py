"""What a pronoun after a question may stand for: its answer, its subject, or something else that it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.follow_ups import JoinedQuestions
from libs.language.topics.grammar import Inflection, NounPhrases
from libs.text.tokens import is_third_person_pronoun
from services.decompose.plan.events import subject_of
from services.decompose.plan.joined.kinds import ANY, PERSON, PLURAL, THING, NounKinds
from services.decompose.plan.question_words import QuestionWords, begins_late
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases


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
        self._reader = _ByAgreement(question, language) if by_agreement else _ByOrder(question, domain, language)
        self._answer = f"#{number}"
        self._candidates = tuple(self._reader.candidates(self._answer))
        self._asks_place = JoinedQuestions.of(language).asks_place.match(question) is not None

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
        return self._answer if noun in self._reader.asked_nouns() else self._reader.named(noun)

    def place(self) -> str | None:
        """What "there" means: the first thing named, or the answer where that is in, on or at something.

        None if a place is asked for.
        """
        named = (each for each in self._candidates if each.text != self._answer or self._reader.asks_late)
        return None if self._asks_place else next(filter(None, map(self._reader.place, named)), None)


def governed(text: str, language: str) -> str:
    """Words after a preposition: with the article in its case, in a language that has one for it."""
    article, _, name = text.partition(" ")
    agreement = Agreement.of(language)
    classes = agreement.determiners.get(article.lower(), ())
    return f"{agreement.governed_articles[classes[0]]} {name}" if classes and name else text


class _ByOrder:
    """Reads a language in which the order of words tells the subject, and nouns are things, persons or several."""

    def __init__(self, question: str, domain: Domain, language: str) -> None:
        self._question = question
        self._domain = domain
        self._language = language
        self._forms = JoinedQuestions.of(language)
        self._read = QuestionWords(question, domain, language)
        self._grammar = self._read.grammar
        self._kinds = NounKinds(domain, language)
        self.asks_late = begins_late(question, language)
        self._words = self._read.words[self.asks_late :]
        self._phrases = [each for each in find_phrases(question, language=language) if self._is_named(each)]

    def candidates(self, answer: str) -> Iterator[Candidate]:
        """Yield the answer first if the question asks for a thing or person, and last if only "what" asks for it."""
        if classes := self._answer_classes():
            yield Candidate(answer, classes)
        subject = subject_of(self._question, self._domain, self._language)
        if subject and not self._kinds.is_attribute(subject) and self._is_definite(subject):
            yield Candidate(subject, self._kinds.classes_of(subject))
        for phrase in sorted(self._phrases, key=lambda each: self._kinds.is_attribute(each.head)):
            yield Candidate(self._text(phrase), self._classes(phrase))
        yield from (Candidate(self._text(phrase), ANY) for phrase in self._phrases if phrase.kind.is_name)
        if not classes and self._words[0] in self._forms.nominal and self._is_definite(self._question):
            yield Candidate(answer, frozenset((THING,)))

    def asked_nouns(self) -> tuple[str, ...]:
        """The noun after "which" or "what"; none if a verb follows at once."""
        read, words = self._read, self._read.words
        before = read.forms.partitives | self._grammar.determiners
        start = next((at for at in range(self.asks_late + 1, len(words)) if words[at] not in before), len(words))
        end = next((at for at in range(start, len(words)) if self._ends_noun(at, at == start)), len(words))
        if self._words[0] not in self._forms.nominal or start == end:
            return ()
        is_cut_by_verb = end - start > 1 and not read.is_known_noun(end - 1)
        return (words[start if is_cut_by_verb else end - 1],)

    def _ends_noun(self, index: int, is_first: bool) -> bool:
        """Whether a token ends the noun after "which": a function word, or a verb."""
        word, grammar = self._read.words[index], self._grammar
        is_verb = self._read.is_finite(word) and not (is_first and self._read.is_known_noun(index))
        return is_verb or word in grammar.auxiliaries | grammar.prepositions | grammar.determiners

    def named(self, noun: str) -> str | None:
        """A name with a noun for a class of things: "the mission" after "Galileo"; None for other nouns."""
        names = [phrase.text for phrase in self._phrases if phrase.kind.is_name]
        is_class = is_among(noun, self._domain.classes, self._language) and noun not in self._words
        return NounPhrases.of(self._language).definite.format(name=f"{names[0]} {noun}") if is_class and names else None

    def place(self, thing: Candidate) -> str | None:
        """A thing as a place; None for a person and for words that are no phrase."""
        first = thing.text.split()[0]
        is_phrase = not first[0].islower() or first in self._grammar.determiners
        return self._forms.place.format(name=thing.text) if is_phrase and THING in thing.classes else None

    def _answer_classes(self) -> frozenset[str]:
        """The classes of the answer; empty if it names no thing or person that the question is about."""
        forms, words = self._forms, self._words
        if named := forms.identity.fullmatch(self._question):
            classes = (
                frozenset((PERSON, PLURAL)) if words[0] in forms.personal else self._kinds.classes_of(named["named"])
            )
            return classes if self._is_described(named) else frozenset()
        if not words or words[0] not in forms.nominal:
            return frozenset()
        if words[0] in forms.personal:
            return frozenset((PERSON, PLURAL))
        if nouns := self.asked_nouns():
            is_one_of = words[1] in self._read.forms.partitives
            return self._kinds.classes_of(nouns[0]) | (ANY if is_one_of else frozenset())
        is_subject = len(words) > 1 and words[1] not in self._grammar.auxiliaries
        return frozenset((THING,)) if is_subject else frozenset()

    def _is_described(self, named: re.Match[str]) -> bool:
        """Whether an identity has to be found: `the father of Ann`, not `Ann`, and not `the refund policy`."""
        words = named["named"].split()
        if named["name"] or named["called"]:
            return True
        if self._words[0] in self._forms.personal:
            without_article = " ".join(words[words[0].lower() in self._grammar.articles :])
            return not any(each.kind.is_name and each.text == without_article for each in self._phrases)
        is_role = is_among(self._kinds.head(named["named"]), self._domain.unique_roles, self._language)
        return is_role or any(self._read.picks_one(word.lower()) for word in words)

    def _classes(self, phrase: Phrase) -> frozenset[str]:
        if not phrase.kind.is_name:
            return self._kinds.classes_of(phrase.head)
        if phrase.kind is not PhraseKind.NAME or phrase.tail:
            return frozenset((THING,))
        is_plural = singular(phrase.text.lower(), self._language) != phrase.text.lower()
        return ANY if is_plural else frozenset((THING, PERSON))

    def _is_named(self, phrase: Phrase) -> bool:
        """Whether a phrase names something that is neither a date, nor an action, nor what is asked for."""
        is_action = not phrase.determiner and phrase.text.endswith(Inflection.of(self._language).continuous_endings)
        is_other = is_action or phrase.head in self.asked_nouns()
        is_thing = phrase.kind is PhraseKind.THING
        return (
            phrase.kind is not PhraseKind.DATE and not (is_thing and is_other) and self._is_definite(phrase.determiner)
        )

    def _is_definite(self, text: str) -> bool:
        """Whether words are clear by themselves: without a pronoun, and no new thing."""
        words = text.lower().split()
        is_new = (
            len(words) > 1 and words[0] in self._grammar.articles - NounPhrases.of(self._language).definite_articles
        )
        return not is_new and not any(is_third_person_pronoun(word, self._language) for word in words)

    def _text(self, phrase: Phrase) -> str:
        if phrase.kind.is_name and phrase.tail and phrase.determiner in self._grammar.articles:
            return NounPhrases.of(self._language).definite.format(name=f"{phrase.text} {phrase.tail}")
        return phrase.with_determiner


class _ByAgreement:
    """Reads a language in which gender and number tell what a pronoun stands for."""

    def __init__(self, question: str, language: str) -> None:
        self._question = question
        self._language = language
        self._agreement = Agreement.of(language)
        self._forms = JoinedQuestions.of(language)
        self._nouns = NounGroupReader(question, language)
        self.asks_late = begins_late(question, language)

    def candidates(self, answer: str) -> Iterator[Candidate]:
        """Yield the answer, then the noun groups, then what is named without a determiner."""
        yield Candidate(answer, self._answer_classes())
        for group in self._nouns.groups():
            if group.determiner not in self._forms.nominal:
                yield Candidate(self._nouns.span(group.first, group.last), self._nouns.classes(group))
        for phrase in find_phrases(self._question, language=self._language):
            if phrase.kind.is_name and not phrase.determiner:
                yield Candidate(phrase.text, frozenset(self._forms.name_classes))
        if self._nouns.words[:1] and self._nouns.words[0] in self._agreement.asks_person:
            yield Candidate(answer, self._agreement.person_classes)

    def asked_nouns(self) -> tuple[str, ...]:
        """The words after "welche"."""
        words = self._nouns.words
        places = (index for index, word in enumerate(words[:2]) if word in self._forms.nominal)
        return next((tuple(words[place + 1 : place + 3]) for place in places), ())

    def named(self, noun: str) -> str | None:
        """None: a noun has to be named again with its name."""
        return None

    def place(self, thing: Candidate) -> str | None:
        """A thing as a place, with its article in the case of one; None without an article."""
        if thing.text.startswith("#"):
            return self._agreement.place.format(name=thing.text)
        name = governed(thing.text, self._language)
        return self._agreement.place.format(name=name) if name != thing.text else None

    def _answer_classes(self) -> frozenset[str]:
        if named := self._forms.identity.fullmatch(self._question):
            nouns = NounGroupReader(named["named"], self._language)
            group = nouns.group_at(0)
            return nouns.classes(group) if group and group.determiner else frozenset()
        for index, word in enumerate(self._nouns.words[:2]):
            if word in self._agreement.asks_person:
                return frozenset(self._forms.person_classes)
            if word in self._forms.nominal:
                return self._nouns.classes_of(word, is_oblique=index > 0)
        return frozenset()
