"""Finds what a sentence denies: the words in a negator's scope, and whether two sentences deny the same. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from libs.language.topics.clauses import Negation
from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import StemOccurrence

MAX_DENIALS = 30
"""Negators of a sentence that are read, because each makes its clause be read again (taste)."""
_SCOPE = 4
"""Content words after a negator that it may deny (taste)."""
_CORE = 2
"""Those nearest to it, which it surely denies (taste)."""
_SAME_SUBJECT = 2
"""Words before two negators that both have, so that they deny the same of the same thing (taste)."""
_COPIED = 3
"""This many stems in the same order indicate copying; coincidence is rare (taste)."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A negator and the stems in its scope."""

    core: frozenset[str]
    """The nearest stems after the negator, or before it if it ends its clause."""
    scope: frozenset[str]
    """More stems after it, with one before it."""
    supposed: bool = False
    """Hypothetical (`if it doesn't open`), partial (`not always`) or part of a phrase (`not only`)."""
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
    """Yield the first `MAX_DENIALS` negators of a text with the stems that they deny."""
    negation = Negation.of(language)
    idiom_spans = [match.span() for match in negation.no_denial.finditer(text)]
    for negator in islice(negation.negator.finditer(text), MAX_DENIALS):
        if negation.not_only.match(text, negator.start()):
            continue
        before, after = _stems_before(text, negator.start(), language), _stems_after(text, negator.end(), language)
        if not before and not after:  # `was expected to wake and did not`
            before = stems_of(text[: negator.start()], language)[-_SCOPE:]
        clause = re.split(r"[,;:.!?()–—]", text[: negator.start()])[-1]
        phrase = any(start <= negator.start() < end for start, end in idiom_spans)
        is_partial = negation.partial.match(text, negator.end()) is not None
        supposed = phrase or negation.supposition.search(clause) is not None or is_partial
        core, scope = after[:_CORE] or before[-_CORE:], [*before[-1:], *after[:_SCOPE]]
        yield Denial(frozenset(core), frozenset(scope), supposed, phrase, negator.start(), before, after)


def _stems_before(text: str, end: int, language: str) -> tuple[str, ...]:
    """The stems of the clause that precede an offset."""
    return stems_of(Negation.of(language).clause_end.split(text[:end])[-1], language)


def _stems_after(text: str, start: int, language: str) -> tuple[str, ...]:
    clause_end = Negation.of(language).clause_end.search(text, start)
    return stems_of(text[start : clause_end.start() if clause_end else len(text)], language)


def same_in_other_words(claim: str, evidence: str, language: str) -> bool:
    """Whether one sentence denies that there is another, and the other has a superlative or `only`."""
    negation, pairs = Negation.of(language), ((claim, evidence), (evidence, claim))
    return any(
        negation.no_other.search(text) is not None and negation.utmost.search(other) is not None
        for text, other in pairs
    )


def implied_denials(text: str, exceptions: frozenset[str], language: str) -> frozenset[str]:
    """The stems next to words that may replace a negator: `contact was lost`, `refused to open`.

    Args:
        text: where to search.
        exceptions: stems of the other sentence; such a word in both sentences does not replace a negator.
        language: the text's language, ISO 639-1.
    """
    stems: set[str] = set()
    for match in islice(Negation.of(language).implied.finditer(text), MAX_DENIALS):
        match_stems = stems_of(match[0], language)
        if not match_stems or match_stems[0] not in exceptions:
            stems.update(_stems_before(text, match.start(), language)[-_CORE:])
            stems.update(_stems_after(text, match.end(), language)[:_CORE])
    return frozenset(stems)


def denies_the_same(denial: Denial, other: Denial) -> bool:
    """Whether two denials affect the same words or have the same subject."""
    return not (
        denial.core.isdisjoint(other.scope | other.core)
        and other.core.isdisjoint(denial.scope | denial.core)
        and set(denial.following).isdisjoint(other.following)
        and len(set(denial.preceding) & set(other.preceding)) < _SAME_SUBJECT
    )


def has_denied_words(denial: Denial, stems: frozenset[str], language: str) -> bool:
    """Whether the source has what is denied: one of the nearest words and half of all (taste), or related words."""
    known_stems = {stem for stem in denial.scope | denial.core if is_covered(stem, stems, language)}
    return bool(known_stems & denial.core) and 2 * len(known_stems) >= len(denial.scope | denial.core)


def lacks_negator(
    denial: Denial, occurrences: tuple[StemOccurrence, ...], denials: Sequence[Denial], is_copied: bool
) -> bool:
    """Whether the other sentence has the words around a negator, in their order, but nowhere with a negator.

    Args:
        denial: the negator's scope.
        occurrences: the other sentence's stems.
        denials: the denials of the other sentence.
        is_copied: whether most of the sentence was copied; a short clause is then sufficient.
    """
    if denial.phrase or not denial.following:
        return False
    starts = [index for index, stem in enumerate(occurrences) if stem.stem == denial.following[0]]
    least_overlap = min(_COPIED, len(denial.preceding) + len(denial.following)) if is_copied else _COPIED
    copies = [index for index in starts if _overlap_at(denial, occurrences, index) >= least_overlap]
    return bool(copies) and not any(_is_denied_at(index, occurrences, denials) for index in copies)


def _overlap_at(denial: Denial, occurrences: tuple[StemOccurrence, ...], start: int) -> int:
    """How many consecutive stems around a position match those around the negator."""
    after = [occurrences[index].stem for index in range(start, min(start + _SCOPE, len(occurrences)))]
    before = [occurrences[index].stem for index in range(start - 1, max(start - 1 - _SCOPE, -1), -1)]
    return _common_prefix_length(after, denial.following) + _common_prefix_length(before, denial.preceding[::-1])


def _common_prefix_length(stems: Sequence[str], other: Sequence[str]) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(stems, other, strict=False))))


def _is_denied_at(index: int, occurrences: tuple[StemOccurrence, ...], denials: Sequence[Denial]) -> bool:
    start = occurrences[index - _CORE].start if index >= _CORE else 0
    end = occurrences[index + 1].start if index + 1 < len(occurrences) else occurrences[index].start
    return any(start <= denial.start <= end for denial in denials)
