"""Finds the phrase patterns of named lists in sentences.

All patterns share one index, so the cost of a sentence depends on its words, not on the number of patterns. No I/O:
`services.intent.policy.policy` reads the file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.intent.policy.phrase_patterns import GAPS, Element, Pattern, PatternError, keys_of, parse_pattern

Lists = Mapping[str, Sequence[str]]
"""Named lists of patterns; a list may refer to other lists, but not to itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Patterns of which one must match."""

    patterns: tuple[Pattern, ...] = ()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.patterns)


class Phrasebook:
    """Named lists of patterns, indexed.

    Args:
        lists: the lists.
        language: of the patterns and sentences, ISO 639-1.

    Raises:
        PatternError: a pattern in the lists is invalid, or a list refers back to itself.
    """

    def __init__(self, lists: Lists, language: str) -> None:
        self.language = language
        self._names = frozenset(lists)
        self._by_key: dict[str, list[tuple[Patterns, Pattern]]] = defaultdict(list)
        self._without_key: dict[Patterns, list[Pattern]] = {}
        self.lists = {name: self.parse(entries) for name, entries in lists.items()}
        for name in lists:
            self._refuse_cycles(name, ())

    def parse(self, texts: Iterable[str]) -> Patterns:
        """Parse patterns.

        Raises:
            PatternError: one of them is invalid.
        """
        patterns = Patterns(tuple(parse_pattern(text, self._names, self.language) for text in texts))
        self._without_key[patterns] = [pattern for pattern in patterns.patterns if not pattern.keys]
        for pattern in patterns.patterns:
            if pattern.keys:
                self._by_key[max(pattern.keys, key=len)].append((patterns, pattern))
        return patterns

    def possible(self, words: Sequence[str]) -> Mapping[Patterns, Sequence[Pattern]]:
        """Return the patterns whose required words a sentence has."""
        keys = {key for word in words for key in keys_of(word, self.language)}
        possible = dict(self._without_key)
        for key in keys & self._by_key.keys():
            for patterns, pattern in self._by_key[key]:
                if pattern.keys <= keys:
                    possible[patterns] = [*possible[patterns], pattern]
        return possible

    def _refuse_cycles(self, name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise PatternError(f"the list {name!r} leads back to itself")
        for pattern in self.lists[name].patterns:
            for element in pattern.elements:
                if element.kind == "list":
                    self._refuse_cycles(element.value, (*path, name))


class PatternReading:
    """The words of one sentence with the phrasebook's matches, as [start, end) in words."""

    def __init__(self, book: Phrasebook, words: Sequence[str]) -> None:
        self._book = book
        self._words = words
        self._possible = book.possible(words)
        self._lists: dict[str, dict[int, set[int]]] = {}

    def has(self, patterns: Patterns) -> bool:
        """Whether one of the patterns matches anywhere in the sentence."""
        return next(self.places(patterns), None) is not None

    def places(self, patterns: Patterns) -> Iterator[tuple[int, int]]:
        """Yield the matches of the patterns, with every possible end, unordered."""
        for pattern in self._possible.get(patterns, ()):
            if all(map(self._list, pattern.lists)):
                for start in self._starts(pattern.elements[0]):
                    yield from ((start, end) for end in self._ends(pattern, start))

    def _list(self, name: str) -> Mapping[int, set[int]]:
        """The ends of a list's matches, by their starts."""
        if name not in self._lists:
            ends_by_start: dict[int, set[int]] = defaultdict(set)
            for start, end in self.places(self._book.lists[name]):
                ends_by_start[start].add(end)
            self._lists[name] = ends_by_start
        return self._lists[name]

    def _starts(self, first: Element) -> Iterable[int]:
        is_list = first.kind == "list" and not first.optional
        return tuple(self._list(first.value)) if is_list else range(len(self._words))

    def _ends(self, pattern: Pattern, start: int) -> set[int]:
        ends = {start}
        for element in pattern.elements:
            ends = {end for position in ends for end in self._step(element, position)}
        return ends

    def _step(self, element: Element, position: int) -> Iterator[int]:
        length = len(self._words)
        if element.optional:
            yield position
        if element.kind == "gap":
            yield from range(position, min(length, position + GAPS[element.value]) + 1)
        elif element.kind == "list":
            yield from self._list(element.value).get(position, ())
        elif position < length and element.fits(self._words[position], self._book.language):
            yield position + 1
