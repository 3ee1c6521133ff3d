"""Finds noun groups in a language that capitalises nouns: `die alte Schule am Markt`. No I/O of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from libs.language.topics.anaphora import Agreement
from libs.language.topics.clauses import RelativeClauses
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.text.tokens import Token, is_stop_word, tokenize

_MAX_ADJECTIVES = 3  # before the noun (taste)
_MAX_ATTRIBUTES = 3  # of one noun (taste)


@dataclass(frozen=True, slots=True)
class NounGroup:
    """A noun with its determiner, adjectives and attributes, as positions of tokens."""

    first: int
    noun: int
    """The first word of the noun or name."""
    noun_end: int
    """The last word of it."""
    last: int
    """The last word of the attributes behind it."""
    determiner: str
    """Lower-cased; empty if there is none."""


class NounGroupReader:
    """Reads the noun groups of a text."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.tokens: Sequence[Token] = tokenize(text)
        self.words = [token.text.lower() for token in self.tokens]
        self._language = language
        self._grammar = Grammar.of(language)
        self._agreement = Agreement.of(language)
        self._attributes = RelativeClauses.of(language).attribute_prepositions
        self._pronouns = NounPhrases.of(language).capital_pronouns

    def groups(self) -> Iterator[NounGroup]:
        """Yield the groups that begin at a determiner, those within others included, the first one first."""
        for index, word in enumerate(self.words):
            if self._is_determiner(word) and (group := self.group_at(index)):
                yield group

    def group_at(self, index: int) -> NounGroup | None:
        """Return the group that begins at a token; None if none does."""
        group = self._simple_group(index)
        for _ in range(_MAX_ATTRIBUTES):
            attribute = self._attribute_after(group.last) if group else None
            if group is None or attribute is None:
                break
            group = NounGroup(group.first, group.noun, group.noun_end, attribute.last, group.determiner)
        return group

    def span(self, first: int, last: int) -> str:
        """The text from one token to another, inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def classes(self, group: NounGroup) -> frozenset[str]:
        """The classes of agreement of a group, by its determiner."""
        is_oblique = self.follows_noun(group.first) or self.follows_preposition(group.first)
        return self.classes_of(group.determiner, is_oblique)

    def classes_of(self, determiner: str, is_oblique: bool) -> frozenset[str]:
        """The classes of a determiner, in an oblique case or not."""
        oblique = RelativeClauses.of(self._language).oblique_classes
        if is_oblique and determiner in oblique:
            return frozenset(oblique[determiner])
        return frozenset(self._agreement.determiners.get(determiner, ()))

    def depends(self, index: int) -> bool:
        """Whether the determiner at a token is a genitive that depends on the noun before it."""
        return self.words[index] in self._agreement.genitive_determiners and self.follows_noun(index)

    def follows_noun(self, index: int) -> bool:
        """Whether the token before is a noun, with nothing but white space between."""
        return index > 0 and self._adjoins(index) and self._is_noun(index - 1)

    def follows_preposition(self, index: int) -> bool:
        """Whether the token before is a preposition."""
        return index > 0 and self.words[index - 1] in self._grammar.prepositions

    def _simple_group(self, index: int) -> NounGroup | None:
        """The group without attributes."""
        if index >= len(self.words):
            return None
        determiner = self.words[index] if self._is_determiner(self.words[index]) else ""
        noun = index + bool(determiner)
        most = noun + _MAX_ADJECTIVES
        while noun < len(self.words) and not self._is_noun(noun):
            if noun == most or not self._may_be_adjective(noun) or not self._adjoins(noun + 1):
                return None
            noun += 1
        if noun >= len(self.words) or (determiner and not self._adjoins(index + 1)):
            return None
        last = noun
        while last + 1 < len(self.words) and self._adjoins(last + 1) and self._is_noun(last + 1):
            last += 1
        return NounGroup(index, noun, last, last, determiner)

    def _attribute_after(self, last: int) -> NounGroup | None:
        index = last + 1
        if index >= len(self.words) or not self._adjoins(index):
            return None
        if self.words[index] in self._agreement.genitive_determiners:
            return self._simple_group(index)
        if self.words[index] not in self._attributes:
            return None
        return self._simple_group(index) or self._simple_group(index + 1)

    def _is_determiner(self, word: str) -> bool:
        return word in self._grammar.determiners or word in self._agreement.determiners

    def _is_noun(self, index: int) -> bool:
        token = self.tokens[index]
        is_pronoun = token.text in self._pronouns or (index == 0 and is_stop_word(token.text, self._language))
        return token.is_number or (token.is_capitalised and not is_pronoun)

    def _may_be_adjective(self, index: int) -> bool:
        word = self.words[index]
        is_other = word in self._grammar.prepositions or word in self._grammar.adverbs
        return self.tokens[index].text.islower() and not is_other and not is_stop_word(word, self._language)

    def _adjoins(self, index: int) -> bool:
        """Whether only white space, a hyphen or a quotation mark separates a token from the one before it."""
        if not 0 < index < len(self.tokens):
            return False
        return not self.text[self.tokens[index - 1].end : self.tokens[index].start].strip(" -„“\"'’»«.")
