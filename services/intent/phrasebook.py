"""Finds the phrase patterns of named lists in sentences.

The lists share one index for all patterns, so the cost of a sentence depends on its number of words, not on the length
of the lists. No I/O: `services.intent.policy` reads the file.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from libs.language.known import language_of
from services.intent.phrase_patterns import (
    Element,
    Pattern,
    PatternError,
    Patterns,
    RequiredKeys,
    keys_of,
    parse_pattern,
)

Lists = Mapping[str, Sequence[str]]
"""Named lists of patterns; a list may refer to other lists, but not to itself."""

_NOTHING: Final = "$"
"""Stands for the word after the last one; never equals a word."""


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
        self._first_words: dict[str, dict[str, list[tuple[str, Pattern]]]] = {}
        self._lists: dict[str, list[Pattern]] = {}
        self._list_keys: dict[str, RequiredKeys] = {}
        self.composites: dict[str, list[Pattern]] = {name: [] for name in lists}
        for name, entries in lists.items():
            self._lists[name] = [self._pattern(entry) for entry in entries]
            for pattern in self._lists[name]:
                self._file(name, pattern)
        for name in lists:
            self._refuse_cycles(name, ())

    def parse(self, patterns: Iterable[str]) -> Patterns:
        """Parse patterns.

        Raises:
            PatternError: one of them is invalid.
        """
        return tuple(map(self._pattern, patterns))

    def required_keys(self, patterns: Iterable[Pattern]) -> RequiredKeys:
        """Return keys of which a sentence must have one for any of the patterns to match; None if it needs none."""
        key_sets = [self._keys_of_pattern(pattern) for pattern in patterns]
        return None if None in key_sets else frozenset().union(*(keys for keys in key_sets if keys is not None))

    def rarer(self, *choices: RequiredKeys) -> RequiredKeys:
        """Return the choice that fewest sentences satisfy: the one with fewest function words, then fewest keys."""
        key_sets, stop_words = [keys for keys in choices if keys is not None], language_of(self.language).stop_words
        return min(key_sets, key=lambda keys: (len(keys & stop_words), len(keys)), default=None)

    def _keys_of_pattern(self, pattern: Pattern) -> RequiredKeys:
        list_keys = (self._keys_of_list(name) for name in pattern.lists)
        return self.rarer(*(frozenset((key,)) for key in sorted(pattern.keys)), *list_keys)

    def _keys_of_list(self, name: str) -> RequiredKeys:
        if name not in self._list_keys:
            self._list_keys[name] = self.required_keys(self._lists[name])
        return self._list_keys[name]

    def _pattern(self, text: str) -> Pattern:
        return parse_pattern(text, self._names, self.language)

    def read(self, words: Sequence[str]) -> "PatternReading":
        """Return a reading of a sentence, in which patterns can be searched."""
        return PatternReading(self, words)

    def plain(self, keys: Iterable[str], following: str) -> Iterator[tuple[str, Pattern]]:
        """Yield list names and entries that may begin with a word of these keys, followed by `following`."""
        for key in keys:
            if entries_by_following := self._first_words.get(key):
                yield from entries_by_following.get("", ())
                yield from entries_by_following.get(following, ())

    def _file(self, name: str, pattern: Pattern) -> None:
        if _is_plain(pattern):
            first, *others = pattern.elements
            following = others[0].value if others and others[0].kind == "word" else ""
            self._first_words.setdefault(first.key, {}).setdefault(following, []).append((name, pattern))
        else:
            self.composites[name].append(pattern)

    def _refuse_cycles(self, name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise PatternError(f"the list {name!r} leads back to itself")
        for pattern in self.composites[name]:
            for element in pattern.elements:
                if element.kind == "list":
                    self._refuse_cycles(element.value, (*path, name))


class PatternReading:
    """The words of one sentence with the phrasebook's matches."""

    def __init__(self, book: Phrasebook, words: Sequence[str]) -> None:
        self._book = book
        self.words = words
        word_keys = [keys_of(word, book.language) for word in words]
        self.keys = frozenset(key for keys in word_keys for key in keys)
        """Index keys of its words."""
        self._plain: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._lists: dict[str, dict[int, set[int]]] = {}
        for start, (keys, following) in enumerate(zip(word_keys, (*words[1:], _NOTHING), strict=False)):
            for name, pattern in book.plain(keys, following):
                if self._matches_at(pattern, start):
                    self._plain[name][start].add(start + len(pattern.elements))

    def has(self, patterns: Patterns) -> bool:
        """Whether one of the patterns matches anywhere in the sentence."""
        return any(self._ends(pattern, start) for pattern in patterns for start in self._starts(pattern))

    def places(self, patterns: Patterns) -> list[tuple[int, int]]:
        """Return the matches of the patterns as [start, end) in words, with every possible end, unordered."""
        return [(start, end) for each in patterns for start in self._starts(each) for end in self._ends(each, start)]

    def spans(self, name: str) -> list[tuple[int, int]]:
        """Return the matches of a list's patterns as [start, end) in words, longest per start, in order."""
        return [(start, max(ends)) for start, ends in sorted(self._list(name).items())]

    def _list(self, name: str) -> Mapping[int, set[int]]:
        if name not in self._lists:
            ends_by_start = {start: set(ends) for start, ends in self._plain[name].items()}
            for pattern in self._book.composites[name]:
                for start in self._starts(pattern):
                    if ends := self._ends(pattern, start):
                        ends_by_start.setdefault(start, set()).update(ends)
            self._lists[name] = ends_by_start
        return self._lists[name]

    def _starts(self, pattern: Pattern) -> Iterable[int]:
        """Return where the pattern may begin; nothing if the sentence lacks something that it requires."""
        if not pattern.keys <= self.keys or not all(map(self._list, pattern.lists)):
            return ()
        first = pattern.elements[0]
        if first.kind == "begin":
            return (0,)
        if first.kind == "list" and not first.optional:
            return tuple(self._list(first.value))
        return range(len(self.words))

    def _ends(self, pattern: Pattern, start: int) -> set[int]:
        ends = {start}
        for element in pattern.elements:
            ends = {end for position in ends for end in self._step(element, position)}
            if not ends:
                break
        return ends

    def _step(self, element: Element, position: int) -> Iterator[int]:
        length = len(self.words)
        if element.optional:
            yield position
        if element.kind == "gap":
            yield from range(position, min(length, position + element.most) + 1)
        elif element.kind == "list":
            yield from self._list(element.value).get(position, ())
        elif element.kind in ("begin", "end"):
            if position == (0 if element.kind == "begin" else length):
                yield position
        elif position < length and element.fits(self.words[position]):
            yield position + 1

    def _matches_at(self, pattern: Pattern, start: int) -> bool:
        elements, words = pattern.elements, self.words
        if start + len(elements) > len(words):
            return False
        # The index has matched the first word, or only its first letters.
        if elements[0].kind == "prefix" and not words[start].startswith(elements[0].value):
            return False
        return len(elements) == 1 or all(
            elements[index].fits(words[start + index]) for index in range(1, len(elements))
        )


def _is_plain(pattern: Pattern) -> bool:
    """Whether a pattern has only required words, and the index can find the first."""
    words_only = all(
        element.kind in ("word", "prefix", "suffix", "stem") and not element.optional for element in pattern.elements
    )
    return words_only and pattern.elements[0].kind != "suffix"
