"""Resolves "the old one": to a noun mentioned with the same modifier, one of several names, or one of a class."""

from dataclasses import dataclass

import regex

from libs.language.topics.anaphora import OneAnaphora
from libs.language.topics.follow_ups import Splicing
from libs.language.topics.grammar import Inflection, NounPhrases
from services.decompose.condense.anaphora_of_one import Pointer, is_function_word
from services.decompose.condense.topic import ConversationTopic, TopicCandidate
from services.decompose.words.domain import Domain, is_among, is_plural, singular
from services.decompose.words.phrases import PhraseKind

CLEAR, OF_ITS_CLASS, RIVALLED = 0.85, 0.6, 0.5
"""Confidence: mentioned before in those words; only its class was named; one of several (by hand)."""


@dataclass(frozen=True, slots=True)
class Referent:
    """The words that replace a pointer, and their antecedents, likeliest first."""

    words: str
    antecedents: tuple[TopicCandidate, ...]
    confidence: float


def meaning_of(pointer: Pointer, topic: ConversationTopic, domain: Domain) -> Referent | None:
    """Return what a pointer refers to; None if nothing fits.

    It is a noun mentioned with the same modifier, one of several names, or one of a class.
    """
    forms = OneAnaphora.of(pointer.language)
    if pointer.quality in forms.places or pointer.quality in forms.others:
        return _by_order(pointer, topic, domain)
    referent = _by_quality(pointer, topic)
    if referent is not None:
        return referent
    candidates = alike_names(topic)
    if candidates:
        splicing = Splicing.of(pointer.language)
        names = splicing.and_joint.join(candidate.phrase.with_determiner for candidate in candidates)
        return Referent(splicing.attribute.format(text=pointer.text, name=names), candidates, RIVALLED)
    return _by_class(pointer, topic, domain)


def alike_names(topic: ConversationTopic) -> tuple[TopicCandidate, ...]:
    """Return the names of one kind in the newest turn with two or more of them, at most three (taste); else empty."""
    for turn in sorted({candidate.turn for candidate in topic.names}, reverse=True):
        names = sorted((c for c in topic.names if c.turn == turn), key=lambda c: (not c.by_user, c.phrase.start))
        alike = [c for c in names if c.phrase.kind is names[0].phrase.kind and c.by_user == names[0].by_user]
        if len(alike) > 1:
            return tuple(alike[:3])
    return ()


def _by_order(pointer: Pointer, topic: ConversationTopic, domain: Domain) -> Referent | None:
    """ "The second one", "the other one": resolved by the order in which the names were mentioned."""
    candidates = alike_names(topic)
    position = OneAnaphora.of(pointer.language).places.get(pointer.quality, 1)
    if candidates and position < len(candidates):
        return Referent(candidates[position].phrase.with_determiner, (candidates[position],), CLEAR)
    return (
        Referent(topic.names[0].phrase.with_determiner, topic.names[:1], OF_ITS_CLASS)
        if topic.names
        else _by_class(pointer, topic, domain)
    )


def _by_quality(pointer: Pointer, topic: ConversationTopic) -> Referent | None:
    """ "The old one" after "the old printer" was mentioned."""
    if not pointer.quality:
        return None
    substitutes = NounPhrases.of(pointer.language).substitutes
    with_noun = regex.compile(rf"\b{regex.escape(pointer.quality)}\s+(?P<noun>[\p{{L}}-]+)", regex.IGNORECASE)
    for text in topic.texts:
        for match in with_noun.finditer(text):
            noun = match["noun"].lower()
            if noun not in substitutes and not is_function_word(noun, pointer.language):
                words = f"{_determiner(pointer)} {pointer.quality} {_in_number(noun, pointer)}".strip()
                holder = tuple(c for c in topic.candidates if noun in c.key.split())[:1]
                return Referent(words, holder, CLEAR)
    return None


def _by_class(pointer: Pointer, topic: ConversationTopic, domain: Domain) -> Referent | None:
    """ "Another one" after telescopes were mentioned is another telescope; without a class, use the first name."""
    for candidate in topic.candidates:
        noun = _class_noun(candidate, domain, pointer.language)
        if noun:
            words = (_determiner(pointer), pointer.quality, _in_number(noun, pointer))
            return Referent(" ".join(filter(None, words)), (candidate,), OF_ITS_CLASS)
    if not topic.names:
        return None
    determiner = pointer.lead if pointer.lead in OneAnaphora.of(pointer.language).indefinite else ""
    words = (determiner, pointer.quality, topic.names[0].phrase.with_determiner)
    return Referent(" ".join(filter(None, words)), topic.names[:1], OF_ITS_CLASS)


def _class_noun(candidate: TopicCandidate, domain: Domain, language: str) -> str:
    """The noun of a thing that a user mentioned; empty for an attribute of another thing, such as its cost."""
    phrase = candidate.phrase
    noun = phrase.tail.split()[-1] if phrase.tail else phrase.head if phrase.kind is PhraseKind.THING else ""
    is_attribute = is_among(noun.lower(), domain.relations, language)
    return "" if not candidate.by_user or is_attribute else noun.lower()


def _determiner(pointer: Pointer) -> str:
    """The determiner of the replacement; "this" and "that" become "the", because they would be an anaphora again."""
    forms = OneAnaphora.of(pointer.language)
    is_definite = pointer.lead in forms.demonstratives or pointer.quality in forms.places
    return forms.definite if is_definite else pointer.lead


def _in_number(noun: str, pointer: Pointer) -> str:
    if not pointer.is_plural:
        return singular(noun, pointer.language)
    return noun if is_plural(noun, pointer.language) else noun + Inflection.of(pointer.language).plural_suffix
