"""Find the words of a question that point to something which neither it nor the conversation names.

A demonstrative with a noun (`that mission`) points, unless its noun was said before. A pronoun points only where no
conversation stands before the question, and the question names nothing that it may mean.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.spans import Span
from libs.language.known import language_of
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.questions import PointingWords
from libs.text.names import find_names
from libs.text.tokens import Token, content_stems, is_stop_word, tokenize, words

NAMED_WITHIN: Final = 3
"""Content words of a question that say enough of what its pronoun means (of strangers' first questions with one, four
of four were about the documents' own subject); a possessive means even a single one before it."""
MAX_UNCLEAR: Final = 6
"""Words of a phrase that may point; a longer one says what it means (by hand)."""
_MAX_RUN: Final = 4
"""Words of a noun after its determiner that are read (by hand)."""
_MAX_WORDS: Final = 200
"""Words of a question that are examined; the rest of a longer one is ignored."""


@dataclass(frozen=True, slots=True)
class Pointing:
    """A phrase without an antecedent: `phrase == question[span]`."""

    phrase: str
    span: Span
    kind: frozenset[str] = frozenset()
    """Stems of the noun of a demonstrative; empty for a pronoun, which does not say what kind of thing it means."""
    possessive: bool = False
    """Whether it is a possessive: `its`, `their`."""


def find_pointing(question: str, history: str, language: str) -> tuple[Pointing, ...]:
    """Return the phrases of a question that point to nothing that was named, in order.

    Args:
        question: the last turn, in its original words.
        history: what was said before it; empty for a first turn.
        language: the question's language, ISO 639-1.
    """
    return tuple(_Finder(question, history, language).phrases())


class _Finder:
    """Finds the pointing phrases of one question."""

    def __init__(self, question: str, history: str, language: str) -> None:
        self._question = question
        self._history = history
        self._language = language
        self._words, self._grammar = PointingWords.of(language), Grammar.of(language)
        self._nouns = NounPhrases.of(language)
        self._capitalises_nouns = language_of(language).capitalises_nouns
        self._tokens = tokenize(question)[:_MAX_WORDS]

    def phrases(self) -> Iterator[Pointing]:
        """Each phrase, in order."""
        patterns = (self._words.expletive, self._words.no_pointer)
        expletives = [match.span() for pattern in patterns for match in pattern.finditer(self._question)]
        for position, token in enumerate(self._tokens):
            word = token.text.lower()
            if any(start <= token.start < end for start, end in expletives):
                continue
            if word in self._grammar.demonstratives:
                yield from self._demonstrative(position)
            elif word in self._words.pronouns and not self._history:
                yield from self._pronoun(position)

    def _demonstrative(self, position: int) -> Iterator[Pointing]:
        first, nouns = self._tokens[position], self._nouns_after(position)
        if not nouns or self._is_conjunction(position):
            return
        if nouns[0].text.lower() in self._nouns.substitutes:
            yield from () if self._history else (self._over(first, nouns[0]),)
            return
        kind = frozenset(content_stems(" ".join(noun.text for noun in nouns), self._language))
        named = content_stems(f"{self._history}\n{self._question[: first.start]}", self._language)
        if kind.isdisjoint(named):
            yield self._over(first, nouns[-1], kind)

    def _is_conjunction(self, position: int) -> bool:
        """Whether `that` opens a clause: `I heard that people …`."""
        before = self._tokens[position - 1].text.lower() if position else ""
        is_clause = self._tokens[position].text.lower() in self._words.conjunctions
        return is_clause and bool(before) and before not in self._grammar.prepositions | self._grammar.auxiliaries

    def _pronoun(self, position: int) -> Iterator[Pointing]:
        token = self._tokens[position]
        possessive = token.text.lower() in self._grammar.possessive_pronouns
        if possessive and not self._nouns_after(position):
            return  # German `sein` is a verb, too
        is_formal = self._capitalises_nouns and token.is_capitalised
        if not is_formal and not self._names_antecedent(position, possessive):
            yield self._over(token, token, possessive=possessive)

    def _names_antecedent(self, position: int, possessive: bool) -> bool:
        """Whether a question says what its pronoun may mean: by a name, or by enough content of its own."""
        tokens = self._tokens
        if any(token.is_capitalised for token in tokens[1:position]):
            return True
        degree = next((at + 1 for at in range(position) if tokens[at].text.lower() in self._nouns.degree_words), None)
        content = [
            at for at, token in enumerate(tokens) if at != degree and not is_stop_word(token.text, self._language)
        ]
        return len(content) >= NAMED_WITHIN or (possessive and any(at < position for at in content))

    def _nouns_after(self, position: int) -> Sequence[Token]:
        """Return the content words after a determiner, up to a function word or the verb of the question."""
        tokens = self._tokens
        run: list[Token] = []
        for token in tokens[position + 1 : position + 1 + _MAX_RUN]:
            adjoins = not run or token.start == run[-1].end + 1
            if not adjoins or is_stop_word(token.text, self._language):
                break
            run.append(token)
            if self._capitalises_nouns and token.is_capitalised:
                break
        if any(token.text.lower() in self._words.auxiliaries for token in tokens[:position]):
            verbs = [at for at, token in enumerate(run) if token.text.lower() in self._grammar.base_verbs]
            run = run[: next(filter(None, verbs), 0)] if verbs else run  # `does that report say`, `does that push to`
        while run and self._words.verb_form.search(run[-1].text):
            run.pop()
        return run

    def _over(
        self, first: Token, last: Token, kind: frozenset[str] = frozenset(), possessive: bool = False
    ) -> Pointing:
        span = Span(first.start, last.end)
        return Pointing(span.of(self._question), span, kind, possessive)


def is_vague_phrase(unclear: str, question: str, language: str) -> bool:
    """Whether words may be an unclear phrase: short, not the whole question, and without a name or number."""
    phrase_length, question_length = len(words(unclear, language)), len(words(question, language))
    has_name = re.search(r"\d", unclear) or any(name.is_sure for name in find_names(unclear, language))
    return 0 < phrase_length <= MAX_UNCLEAR and phrase_length < question_length and not has_name
