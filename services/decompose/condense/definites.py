"""Definite nouns that refer to the conversation without a pronoun: "the mission", "the cost". Pure functions."""

from libs.language.topics.anaphora import AnaphoraForms
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.text.tokens import content_words
from services.decompose.condense.anaphora import Anaphora, ReferenceKind
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases


def find_definite(turn: str, domain: Domain, language: str) -> Anaphora | None:
    """Return a bare "the mission" or "the cost" in a turn that names nothing else; None if the turn names its topic.

    Deliberately conservative: at most two content words, no name, and nothing like "of …" or "that …" after the noun.
    """
    if len(content_words(turn, language)) > 2:
        return None
    phrases = find_phrases(turn, language=language)
    if any(phrase.kind is not PhraseKind.THING for phrase in phrases):
        return None
    definite = NounPhrases.of(language).definite_articles
    for phrase in phrases:
        if phrase.determiner in definite and not _is_specified(turn, phrase, language):
            kind = _kind_of_noun(phrase.text.lower(), domain, language)
            if kind is not None:
                return Anaphora(kind, turn[phrase.start : phrase.end], phrase.start, phrase.end, phrase.text.lower())
    return None


def _kind_of_noun(noun: str, domain: Domain, language: str) -> ReferenceKind | None:
    """How a definite noun refers; None if it does not."""
    if is_among(noun, domain.classes, language):
        return ReferenceKind.CLASS
    return ReferenceKind.RELATION if is_among(noun, domain.relations, language) else None


def _is_specified(turn: str, phrase: Phrase, language: str) -> bool:
    """Whether a modifier after the noun specifies which one is meant."""
    following = turn[phrase.end :].lower().split()[:1]
    specifying = Grammar.of(language).prepositions | AnaphoraForms.of(language).specifying
    return not specifying.isdisjoint(following)
