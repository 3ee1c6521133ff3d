"""Finds what a sentence denies: the words in a negator's scope. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from libs.language.topics.clauses import Negation
from services.answer.lexicon.words import stems_of

_MAX_DENIALS = 30
"""Negators of a sentence that are read, because each makes its clause be read again (taste)."""
_SCOPE = 4
"""Content words after a negator that it may deny (taste)."""
_CORE = 2
"""Those nearest to it, which it surely denies (taste)."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A negator and the stems in its scope."""

    core: frozenset[str]
    """The nearest stems after the negator, or before it if it ends its clause."""
    scope: frozenset[str]
    """More stems after it, with one before it."""
    supposed: bool = False
    """Hypothetical (`if it doesn't open`) or part of a phrase (`not only`)."""
    phrase: bool = False
    """Part of a phrase that denies nothing."""
    start: int = 0
    """Offset of the negator."""
    preceding: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    """The stems of its clause on each side, in order."""

    @property
    def head(self) -> str:
        """The stem nearest to the negator."""
        return (*self.following[:1], *self.preceding[-1:], "")[0]


def find_denials(text: str, language: str) -> Iterator[Denial]:
    """Yield the first `_MAX_DENIALS` negators of a text with the stems that they deny."""
    negation = Negation.of(language)
    idiom_spans = [match.span() for match in negation.no_denial.finditer(text)]
    for negator in islice(negation.negator.finditer(text), _MAX_DENIALS):
        before, after = _stems_before(text, negator.start(), language), _stems_after(text, negator.end(), language)
        if not before and not after:  # `was expected to wake and did not`
            before = stems_of(text[: negator.start()], language)[-_SCOPE:]
        clause = re.split(r"[,;:.!?()–—]", text[: negator.start()])[-1]
        phrase = any(start <= negator.start() < end for start, end in idiom_spans)
        supposed = phrase or negation.supposition.search(clause) is not None
        core, scope = after[:_CORE] or before[-_CORE:], [*before[-1:], *after[:_SCOPE]]
        yield Denial(frozenset(core), frozenset(scope), supposed, phrase, negator.start(), before, after)


def _stems_before(text: str, end: int, language: str) -> tuple[str, ...]:
    """The stems of the clause that precede an offset."""
    return stems_of(Negation.of(language).clause_end.split(text[:end])[-1], language)


def _stems_after(text: str, start: int, language: str) -> tuple[str, ...]:
    clause_end = Negation.of(language).clause_end.search(text, start)
    return stems_of(text[start : clause_end.start() if clause_end else len(text)], language)
