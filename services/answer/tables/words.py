"""The words of a question about rows, spelt as the table spells them, and which of them have been read.

Compounds and words that deny another are put in known words. Pure but for the marks on words.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.contracts.dates import PartialDate
from libs.language.analysis import fold_word, stem_of
from libs.language.known import language_of
from libs.language.topics.tables import TableQuestions
from libs.language.turns.wordings import WORD, phrase_pattern
from libs.text.tokens import stem
from services.answer.lexicon.words import irregular_stems, singular_stems
from services.answer.tables.rows import Table

MOST_WORDS: Final = 8
"""Words of a cell that a question names (taste)."""
SHORTEST_PART: Final = 4
"""Letters of a part of a compound (by hand)."""


@dataclass(slots=True)
class Word:
    """A word with its place in the question, and its key, in which spellings of one word agree."""

    text: str
    key: str
    start: int
    end: int
    is_stop: bool
    is_read: bool = False


@dataclass(frozen=True)
class Question:
    """A question as words."""

    text: str
    language: str
    words: Sequence[Word]
    year: PartialDate | None = None  # of dates without one

    @classmethod
    def of(cls, text: str, language: str, year: PartialDate | None = None) -> "Question":
        """Divide a question into words."""
        stop_words = language_of(language).stop_words
        words = []
        for match in WORD.finditer(text):
            is_stop = match[0].lower() in stop_words
            words.append(Word(match[0], key_of(match[0], language), match.start(), match.end(), is_stop))
        return cls(text, language, words, year)

    def take(self, start: int, end: int) -> None:
        """Mark the words within a span of the text as read."""
        for word in self.words:
            word.is_read |= start <= word.start and word.end <= end

    def is_unread(self, start: int, end: int) -> bool:
        """Whether no word within a span of the text is read."""
        return not any(word.is_read for word in self.words if start <= word.start < end)

    def phrases(self, phrases: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the spans of phrases of which no word is read."""
        for match in phrase_pattern(tuple(phrases)).finditer(self.text):
            if self.is_unread(*match.span()):
                yield match.span()

    def runs(self, whole: bool) -> dict[str, Sequence[Word]]:
        """The runs of unread words that may name something, by keys; only a whole name has little words at its ends."""
        places = range(len(self.words))
        runs = (self.words[start:end] for start in places for end in range(start + 1, start + MOST_WORDS + 1))
        return {
            "".join(word.key for word in run): run
            for run in runs
            if not any(word.is_read for word in run)
            and (not (run[0].is_stop or run[-1].is_stop) or (whole and not all(word.is_stop for word in run)))
        }

    def take_runs(self, runs: Mapping[str, Sequence[Word]], wanted: Collection[str]) -> Iterator[tuple[str, int, int]]:
        """Mark the wanted runs as read, the longest first, and yield the key and place of each."""
        for key in sorted(runs.keys() & set(wanted), key=lambda key: -len(runs[key])):
            if not any(word.is_read for word in runs[key]):
                start, end = runs[key][0].start, runs[key][-1].end
                self.take(start, end)
                yield key, start, end

    def unread(self) -> list[Word]:
        """The words that are not read, without stop words."""
        return [word for word in self.words if not (word.is_read or word.is_stop)]


@lru_cache(maxsize=65_536)  # taste
def key_of(word: str, language: str) -> str:
    """The folded stem of a word's base form, without hyphens and dots: `AX-220's` is `ax220`, `paid` is `pay`."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    plain = "".join(character for character in fold_word(lower) if character.isalnum())
    if not plain.isalpha():
        return plain
    bases = (forms(language).get(stem(lower, language)) for forms in (singular_stems, irregular_stems))
    return next((fold_word(base) for base in bases if base), stem_of(plain, language))


@lru_cache(maxsize=65_536)  # taste
def keys_of(text: str, language: str) -> tuple[str, ...]:
    """The keys of the words of a cell or name."""
    return tuple(key_of(match[0], language) for match in WORD.finditer(text))


@lru_cache(maxsize=1_024)  # taste
def keys_of_words(words: frozenset[str], language: str) -> frozenset[str]:
    """The keys of single words."""
    return frozenset(key_of(word, language) for word in words)


def spelt(text: str, table: Table, subject: Set[str], language: str) -> str:
    """Return a question in the words of a table and of its language; the subject has the keys of words for rows."""
    vocabulary = subject | _vocabulary(table, language)
    names = {key for name in table.columns for key in keys_of(name, language)}
    return str(WORD.sub(lambda word: _parted(word[0], vocabulary, names, language), text))


def _vocabulary(table: Table, language: str) -> Set[str]:
    forms = TableQuestions.of(language)
    lists = (forms.functions, forms.ordinals, forms.comparisons, forms.trailing, *forms.concepts.values())
    phrases = (phrase for each in lists for phrases in each.values() for phrase in phrases)
    cells = {cell.text for row in table.rows for cell in row.cells.values()}
    texts = (*table.columns, *cells, *phrases, *forms.fillers, *forms.negations)
    return {key for text in texts for key in keys_of(text, language)}


def _parted(word: str, vocabulary: Set[str], names: Set[str], language: str) -> str:
    """A compound of two known words in parts, or of a negation and one: `Gesamtbetrag`, `unpaid`; else the word.

    What denies the name of a column is such a compound too: `failed` is not `passed`.
    """
    forms = TableQuestions.of(language)
    opposite = forms.opposites.get(word.lower(), "")
    if opposite and key_of(opposite, language) in names:
        return f"{forms.negations[0]} {opposite}"
    if key_of(word, language) in vocabulary:
        return word
    for place in range(2, len(word) - SHORTEST_PART + 1):
        for first in (word[:place].removesuffix("s"), word[:place]):
            is_known = len(first) >= SHORTEST_PART and key_of(first, language) in vocabulary
            if (is_known or first.lower() in forms.negations) and key_of(word[place:], language) in vocabulary:
                return f"{first} {word[place:]}"
    return word
