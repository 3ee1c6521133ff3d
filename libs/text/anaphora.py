"""Finds the words of a turn that refer to something named before it, its antecedent. No I/O of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

from libs.language.known import language_of
from libs.language.topics.anaphora import Agreement
from libs.language.topics.grammar import Grammar
from libs.text.mentions import Classes, Mention
from libs.text.tokens import Token, tokenize

_CORRELATIVE = regex.compile(r"\s*,")
"""After a pronominal adverb: it announces a clause (`dafür, dass …`)."""


_MARK = regex.compile(r"[,;:.?!]")
"""Between clauses."""


class AnaphoraKind(StrEnum):
    """How a word refers."""

    PRONOUN = "pronoun"
    POSSESSIVE = "possessive"
    ADVERB = "adverb"
    PLACE = "place"
    DEMONSTRATIVE = "demonstrative"
    HEADLESS = "headless"
    DEFINITE = "definite"
    """A noun with a definite article, which may be short for a compound or name: `die Bahn`."""
    TIME = "time"

    @property
    def may_stand_alone(self) -> bool:
        """Whether it may be left as it is if the conversation names nothing that fits."""
        return self in (AnaphoraKind.DEFINITE, AnaphoraKind.TIME)


@dataclass(frozen=True, slots=True)
class AgreeingAnaphora:
    """A word that refers: `text == turn[start:end]`."""

    reference: AnaphoraKind
    text: str
    start: int
    end: int
    classes: Classes = frozenset()
    """The classes that its antecedent may have; empty for any."""
    noun: Mention | None = None
    """The noun of a possessive or demonstrative."""


@dataclass(frozen=True, slots=True)
class AnaphoraFinder:
    """Finds anaphora in the turns of one language."""

    language: str

    def find(self, turn: str, mentions: Sequence[Mention]) -> tuple[AgreeingAnaphora, ...]:
        """Return the anaphora without an antecedent in the turn itself, in order."""
        tokens = tokenize(turn)
        candidates = (self._at(turn, tokens, index, mentions) for index in range(len(tokens)))
        return tuple(item for item in candidates if item and not _is_bound(turn, item, mentions, self.language))

    def _at(
        self, turn: str, tokens: Sequence[Token], index: int, mentions: Sequence[Mention]
    ) -> AgreeingAnaphora | None:
        token = tokens[index]
        if token.is_capitalised and index:  # the formal pronoun, or a noun
            return None
        noun = self._noun_after(turn, token, mentions)
        if noun is not None:
            return self._determiner(token, noun)
        return (
            self._pronoun(turn, token)
            or self._adverb(turn, token)
            or self._headless(tokens, index)
            or self._article(turn, tokens, index)
        )

    def _determiner(self, token: Token, noun: Mention) -> AgreeingAnaphora | None:
        words, word = Agreement.of(self.language), token.text.lower()
        if word in words.possessives:
            return _anaphora(AnaphoraKind.POSSESSIVE, token, words.possessives[word], noun)
        if word in words.demonstratives:
            return _anaphora(AnaphoraKind.DEMONSTRATIVE, token, words.demonstratives[word], noun)
        is_short = noun.determiner == word and noun.text.lower() == noun.head and word in words.articles_as_pronouns
        return _anaphora(AnaphoraKind.DEFINITE, token, (), noun) if is_short else None

    def _pronoun(self, turn: str, token: Token) -> AgreeingAnaphora | None:
        words, word = Agreement.of(self.language), token.text.lower()
        if word in words.demonstratives:
            return _anaphora(AnaphoraKind.DEMONSTRATIVE, token, words.demonstratives[word])
        if word not in words.pronouns or token.is_capitalised or self._is_expletive(turn, token):
            return None
        return _anaphora(AnaphoraKind.PRONOUN, token, words.pronouns[word])

    def _adverb(self, turn: str, token: Token) -> AgreeingAnaphora | None:
        words, word = Agreement.of(self.language), token.text.lower()
        if word in words.places:
            return _anaphora(AnaphoraKind.PLACE, token, ())
        if word in words.times:
            return _anaphora(AnaphoraKind.TIME, token, ())
        announces_clause = _CORRELATIVE.match(turn, token.end) is not None
        return _anaphora(AnaphoraKind.ADVERB, token, ()) if word in words.adverbs and not announces_clause else None

    def _headless(self, tokens: Sequence[Token], index: int) -> AgreeingAnaphora | None:
        words, token = Agreement.of(self.language), tokens[index]
        if token.text.lower() not in words.headless or not self._has_determiner(tokens, index):
            return None
        return _anaphora(AnaphoraKind.HEADLESS, token, words.determiners[tokens[index - 1].text.lower()])

    def _article(self, turn: str, tokens: Sequence[Token], index: int) -> AgreeingAnaphora | None:
        """An article used as a pronoun: no noun, adjective or number follows, and it opens no relative clause."""
        words, token = Agreement.of(self.language), tokens[index]
        word = token.text.lower()
        if word not in words.articles_as_pronouns or self._opens_relative_clause(turn, tokens, index):
            return None
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is None or _MARK.search(turn, token.end, following.start):
            return _anaphora(AnaphoraKind.PRONOUN, token, words.articles_as_pronouns[word])
        is_governed = index > 0 and tokens[index - 1].text.lower() in words.prepositions
        has_verb = following is not tokens[-1] and words.nonfinite_verb.fullmatch(tokens[-1].text) is not None
        is_noun_phrase = (
            following.text.lower() in words.headless
            or (is_governed and has_verb)  # `was ist in der werkstatt passiert`
            or not self._follows_pronoun(turn, following)
        )
        return None if is_noun_phrase else _anaphora(AnaphoraKind.PRONOUN, token, words.articles_as_pronouns[word])

    def _opens_relative_clause(self, turn: str, tokens: Sequence[Token], index: int) -> bool:
        """Whether a comma is before an article, or before the preposition that governs it."""
        has_preposition = index > 0 and tokens[index - 1].text.lower() in Agreement.of(self.language).prepositions
        first = index - has_preposition
        return first > 0 and "," in turn[tokens[first - 1].end : tokens[first].start]

    def _follows_pronoun(self, turn: str, token: Token) -> bool:
        """Whether a word after an article shows that this is a pronoun: a function word, or the verb at the end."""
        words, word = Agreement.of(self.language), token.text
        if not word.islower():
            return False
        is_function_word = word in language_of(self.language).stop_words or word in words.prepositions
        ends_clause = not turn[token.end :].strip() or _MARK.match(turn, token.end) is not None
        is_verb = words.finite_verb.fullmatch(word) or (ends_clause and words.nonfinite_verb.fullmatch(word))
        return is_function_word or word in words.particles or is_verb is not None

    def _noun_after(self, turn: str, token: Token, mentions: Sequence[Mention]) -> Mention | None:
        """The noun that a word determines: only adjectives in lower case are between."""
        mention = next((mention for mention in mentions if mention.start > token.end), None)
        if mention is None or _MARK.search(turn, token.end, mention.start):
            return None
        between = turn[token.end : mention.start].split()
        return mention if all(_may_be_adjective(word, self.language) for word in between) else None

    def _is_expletive(self, turn: str, token: Token) -> bool:
        spans = (match.span() for match in Agreement.of(self.language).expletive.finditer(turn))
        return any(start <= token.start < end for start, end in spans)

    def _has_determiner(self, tokens: Sequence[Token], index: int) -> bool:
        words = Agreement.of(self.language)
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        has_adjective = following.islower() and following.endswith(tuple(words.headless))
        return index > 0 and tokens[index - 1].text.lower() in words.determiners and not has_adjective


def _anaphora(
    reference: AnaphoraKind, token: Token, classes: Sequence[str], noun: Mention | None = None
) -> AgreeingAnaphora:
    return AgreeingAnaphora(reference, token.text, token.start, token.end, frozenset(classes), noun)


def _may_be_adjective(word: str, language: str) -> bool:
    words = Agreement.of(language)
    is_function_word = word in words.prepositions or word in words.determiners or word in words.particles
    return word.islower() and not is_function_word and word not in language_of(language).stop_words


def _is_bound(turn: str, anaphora: AgreeingAnaphora, mentions: Sequence[Mention], language: str) -> bool:
    """Whether the turn has its antecedent: an agreeing noun before it, in a clause joined to it a subject or object."""
    if anaphora.reference in (AnaphoraKind.DEMONSTRATIVE, AnaphoraKind.HEADLESS, AnaphoraKind.DEFINITE):
        return False
    if anaphora.reference is AnaphoraKind.TIME:
        return any(mention.is_number for mention in mentions)
    return any(_binds(turn, mention, anaphora, language) for mention in mentions if mention.end <= anaphora.start)


def _binds(turn: str, mention: Mention, anaphora: AgreeingAnaphora, language: str) -> bool:
    between = turn[mention.end : anaphora.start]
    is_fellow = anaphora.reference is AnaphoraKind.PRONOUN and _is_one_clause(between, language)
    if is_fellow:  # two nouns of one verb are two things: `Wie viele Bücher hat sie?`
        return False
    agrees = not mention.classes or not anaphora.classes or bool(mention.classes & anaphora.classes)
    in_other_clause = _MARK.search(between) is not None
    may_be_subject = not mention.preposition and anaphora.reference not in (AnaphoraKind.ADVERB, AnaphoraKind.PLACE)
    return agrees and not mention.is_number and (may_be_subject or (in_other_clause and not mention.preposition))


def _is_one_clause(text: str, language: str) -> bool:
    """Whether no mark and no conjunction is in a text."""
    return _MARK.search(text) is None and Grammar.of(language).clause_openers.isdisjoint(text.lower().split())
