"""Resolves "the old one": to a noun mentioned with the same modifier, one of several names, or one of a class."""

from dataclasses import dataclass

import regex

from services.decompose.condense.anaphora_of_one import FUNCTION_WORDS, Pointer
from services.decompose.condense.topic import Topic, TopicCandidate
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.phrases import PhraseKind

_ORDINALS = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
CLEAR, OF_ITS_CLASS, RIVALLED = 0.85, 0.6, 0.5
"""Confidence: mentioned before in those words; only its class was named; one of several."""


@dataclass(frozen=True, slots=True)
class Referent:
    """The words that replace a pointer, and their antecedents, likeliest first."""

    words: str
    antecedents: tuple[TopicCandidate, ...]
    confidence: float


def meaning_of(pointer: Pointer, topic: Topic, domain: Domain) -> Referent | None:
    """Return what a pointer refers to; None if nothing fits.

    It is a noun mentioned with the same modifier, one of several names, or one of a class.
    """
    if pointer.quality in _ORDINALS or pointer.quality == "other":
        return _by_order(pointer, topic, domain)
    referent = _by_quality(pointer, topic)
    if referent is not None:
        return referent
    candidates = alike_names(topic)
    if candidates:
        names = " and ".join(candidate.phrase.with_determiner for candidate in candidates)
        return Referent(f"{pointer.text} of {names}", candidates, RIVALLED)
    return _by_class(pointer, topic, domain)


def alike_names(topic: Topic) -> tuple[TopicCandidate, ...]:
    """Return the names of one kind in the newest turn that has two or more of them, at most three; else empty."""
    for turn in sorted({candidate.turn for candidate in topic.names}, reverse=True):
        names = sorted((c for c in topic.names if c.turn == turn), key=lambda c: (not c.by_user, c.phrase.start))
        alike = [c for c in names if c.phrase.kind is names[0].phrase.kind and c.by_user == names[0].by_user]
        if len(alike) > 1:
            return tuple(alike[:3])
    return ()


def _by_order(pointer: Pointer, topic: Topic, domain: Domain) -> Referent | None:
    """ "The second one", "the other one": resolved by the order in which the names were mentioned."""
    candidates = alike_names(topic)
    position = _ORDINALS.get(pointer.quality, 1)
    if candidates and position < len(candidates):
        return Referent(candidates[position].phrase.with_determiner, (candidates[position],), CLEAR)
    return (
        Referent(topic.names[0].phrase.with_determiner, topic.names[:1], OF_ITS_CLASS)
        if topic.names
        else _by_class(pointer, topic, domain)
    )


def _by_quality(pointer: Pointer, topic: Topic) -> Referent | None:
    """ "The old one" after "the old printer" was mentioned."""
    if not pointer.quality:
        return None
    with_noun = regex.compile(rf"\b{regex.escape(pointer.quality)}\s+(?P<noun>[\p{{L}}-]+)", regex.IGNORECASE)
    for text in topic.texts:
        for match in with_noun.finditer(text):
            noun = match["noun"].lower()
            if noun not in {"one", "ones"} and noun not in FUNCTION_WORDS:
                words = f"{_determiner(pointer)} {pointer.quality} {_in_number(noun, pointer)}".strip()
                holder = tuple(c for c in topic.candidates if noun in c.key.split())[:1]
                return Referent(words, holder, CLEAR)
    return None


def _by_class(pointer: Pointer, topic: Topic, domain: Domain) -> Referent | None:
    """ "Another one" after telescopes were mentioned is another telescope; without a class, use the first name."""
    for candidate in topic.candidates:
        noun = _class_noun(candidate, domain)
        if noun:
            words = (_determiner(pointer), pointer.quality, _in_number(noun, pointer))
            return Referent(" ".join(filter(None, words)), (candidate,), OF_ITS_CLASS)
    if not topic.names:
        return None
    determiner = pointer.lead if pointer.lead in {"a", "an", "another", "any other"} else ""
    words = (determiner, pointer.quality, topic.names[0].phrase.with_determiner)
    return Referent(" ".join(filter(None, words)), topic.names[:1], OF_ITS_CLASS)


def _class_noun(candidate: TopicCandidate, domain: Domain) -> str:
    """The noun of a thing that a user mentioned; empty for an attribute of another thing, such as its cost."""
    phrase = candidate.phrase
    noun = phrase.tail.split()[-1] if phrase.tail else phrase.head if phrase.kind is PhraseKind.THING else ""
    return "" if not candidate.by_user or is_among(noun.lower(), domain.relations) else noun.lower()


def _determiner(pointer: Pointer) -> str:
    """The determiner of the replacement; "this" and "that" become "the", because they would be an anaphora again."""
    return "the" if pointer.lead in {"this", "that"} or pointer.quality in _ORDINALS else pointer.lead


def _in_number(noun: str, pointer: Pointer) -> str:
    if pointer.text.lower().endswith("ones"):
        return noun if noun.endswith("s") else f"{noun}s"
    return singular(noun)
