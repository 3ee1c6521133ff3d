"""Reads the two sides of a comparison."""

from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.plans import ComparisonForms
from libs.text.tokens import tokenize
from services.decompose.plan.descriptions import find_description
from services.decompose.words.domain import Domain
from services.decompose.words.noun_groups import NounGroupReader
from services.decompose.words.phrases import Phrase, find_phrases

_MOST_WORDS = 4
"""Maximum length of a side, in words without articles."""
_MOST_WORDS_WITH_ATTRIBUTES = 8
"""Maximum length of a noun group, in words."""


class SideReader:
    """Reads the sides of comparisons in a language."""

    def __init__(self, domain: Domain, language: str) -> None:
        self._domain = domain
        self._language = language

    def read(self, text: str, names_only: bool, alone: bool) -> str:
        """Return a side: a description or a single noun phrase; empty for anything else.

        Args:
            text: what stands on one side in the question.
            names_only: whether a thing without a proper name is refused.
            alone: whether the side becomes a sub-query without further words.
        """
        side = text.strip(" ,")
        if language_of(self._language).capitalises_nouns:
            return self._noun_group(side, names_only, alone)
        description = find_description(side, self._domain, self._language, bare=True)
        if description and (description.start, description.end) == (0, len(side)):
            return side
        phrase = self._phrase(side)
        if phrase is None or (names_only and not phrase.kind.is_name):
            return ""
        return phrase.with_determiner + (f" {phrase.tail}" if phrase.tail else "")

    def _noun_group(self, side: str, is_definite: bool, alone: bool) -> str:
        """The side if it is a noun group, as it stands or, alone, without its determiner.

        Capitals do not tell a name from a thing here, so a thing must be definite instead.
        """
        reader = NounGroupReader(side, self._language)
        group = reader.group_at(0)
        if group is None or group.last + 1 < len(reader.tokens) or len(reader.tokens) > _MOST_WORDS_WITH_ATTRIBUTES:
            return ""
        has_article = group.determiner in NounPhrases.of(self._language).definite_articles
        if group.determiner and is_definite and not has_article:
            return ""
        is_kept = ComparisonForms.of(self._language).keeps_determiners and not alone
        return side if is_kept or not group.determiner else side[reader.tokens[1].start :]

    def _phrase(self, text: str) -> Phrase | None:
        phrases = find_phrases(text, language=self._language)
        articles = Grammar.of(self._language).articles
        words = [token for token in tokenize(text) if token.text.lower() not in articles]
        if len(phrases) != 1 or not words:
            return None
        length = len(tokenize(phrases[0].text)) + len(tokenize(phrases[0].tail))
        return phrases[0] if length == len(words) <= _MOST_WORDS else None
