"""Patterns over the words of a sentence, in the syntax of the policy file.

A pattern is a sequence of elements separated by spaces, such as `{ask} ... {make} .. {weapon}`. Elements match:

    word        that word; `hack*` matches a prefix, `*'s` a suffix, `kill~` any form of the word (`killed`)
    {name}      one of the patterns of a named list
    ..          up to 2 words of any kind
    ...         up to 6 words of any kind
    ^ and $     the beginning and the end of the sentence

A word or list followed by `?` is optional. Words are compared in lower case. Word lists share one index for all
patterns, so the cost of a sentence depends on its number of words, not on the length of the lists. `Phrasebook.wanted`
returns the words that a sentence must have for a pattern to match.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.language.known import language_of
from libs.text.tokens import stem, tokenize

Lists = Mapping[str, Sequence[str]]
"""Named lists of patterns; a list may refer to other lists, but not to itself."""

_GAPS: Final = {"..": 2, "...": 6}
_HYPHENS = re.compile(r"[-‐‑/]")
_PREFIX: Final = 3
"""Minimum length of a prefix before `*`, and the number of letters that the index looks up."""


_NOTHING: Final = "$"
"""Stands for the word after the last one; never equals a word."""


class PatternError(ValueError):
    """A pattern is malformed, names an unknown list, or a list refers back to itself."""


@dataclass(frozen=True, slots=True)
class _Element:
    kind: str
    """word, prefix, suffix, stem, list, gap, begin or end."""
    value: str = ""
    most: int = 0
    optional: bool = False
    language: str = ""
    """Of a word with a stem."""

    @property
    def key(self) -> str:
        """Index key of words that may fit: the word, its first letters and `*`, or its stem and `~`."""
        if self.kind == "prefix":
            return f"{self.value[:_PREFIX]}*"
        return f"{self.value}~" if self.kind == "stem" else self.value

    def fits(self, word: str) -> bool:
        """Whether a word matches this element, which is of kind word, prefix, suffix or stem."""
        if self.kind == "stem":
            return stem(word, self.language) == self.value
        if self.kind == "prefix":
            return word.startswith(self.value)
        return word.endswith(self.value) if self.kind == "suffix" else word == self.value


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern, with the keys and lists that a sentence needs for it to match."""

    elements: tuple[_Element, ...]
    keys: frozenset[str]
    """Keys (see `_keys_of`) of its required words."""
    lists: tuple[str, ...]

    @classmethod
    def of(cls, elements: tuple[_Element, ...]) -> "Pattern":
        """Return the pattern with these elements."""
        required = [element for element in elements if not element.optional]
        keys = frozenset(element.key for element in required if element.kind in ("word", "prefix", "stem"))
        return cls(elements, keys, tuple(element.value for element in required if element.kind == "list"))


RequiredKeys = frozenset[str] | None
"""Keys of words, at least one of which a sentence must have for something to match; None if no word is required."""


class Patterns:
    """Patterns that are searched together, indexed by a word or list that each requires."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.patterns = patterns
        self._by_key: dict[str, list[Pattern]] = defaultdict(list)
        self._by_list: dict[str, list[Pattern]] = defaultdict(list)
        self._others: list[Pattern] = []
        for pattern in patterns:
            if pattern.keys:
                self._by_key[max(pattern.keys, key=len)].append(pattern)
            elif pattern.lists:
                self._by_list[pattern.lists[0]].append(pattern)
            else:
                self._others.append(pattern)

    def __bool__(self) -> bool:
        return bool(self._by_key or self._by_list or self._others)

    def candidates(self, keys: frozenset[str], list_matches: Callable[[str], object]) -> Iterator[Pattern]:
        """Yield the patterns whose indexed word is in a sentence, or whose required list matches it."""
        for key in self._by_key.keys() & keys:
            yield from self._by_key[key]
        for name, patterns in self._by_list.items():
            if list_matches(name):
                yield from patterns
        yield from self._others


def words_of(sentence: str) -> tuple[str, ...]:
    """Return the words as patterns see them: lower case, hyphenated ones split, possessives whole (`husband's`)."""
    text = unicodedata.normalize("NFKC", sentence).lower().replace("’", "'")
    return tuple(part for token in tokenize(text) for part in _HYPHENS.split(token.text) if part)


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
        return Patterns(tuple(map(self._pattern, patterns)))

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
        return Pattern.of(tuple(map(self._element, _elements(text))))

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

    def _element(self, text: str) -> _Element:
        if text in _GAPS:
            return _Element("gap", most=_GAPS[text])
        if text in ("^", "$"):
            return _Element("begin" if text == "^" else "end")
        optional, text = text.endswith("?"), text.removesuffix("?")
        if text.startswith("{"):
            if not text.endswith("}") or text[1:-1] not in self._names:
                raise PatternError(f"no list is called {text}")
            return _Element("list", text[1:-1], optional=optional)
        return _word_element(text, optional, self.language)

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
        word_keys = [_keys_of(word, book.language) for word in words]
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
        candidates = patterns.candidates(self.keys, self._list)
        return any(self._ends(pattern, start) for pattern in candidates for start in self._starts(pattern))

    def places(self, patterns: Patterns) -> list[tuple[int, int]]:
        """Return the matches of the patterns as [start, end) in words, with every possible end, unordered."""
        candidates = patterns.candidates(self.keys, self._list)
        return [
            (start, end)
            for pattern in candidates
            for start in self._starts(pattern)
            for end in self._ends(pattern, start)
        ]

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

    def _step(self, element: _Element, position: int) -> Iterator[int]:
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


def _elements(pattern: object) -> list[str]:
    if not isinstance(pattern, str) or not pattern.split():
        raise PatternError(f"a pattern is a text with words in it, not {pattern!r}")
    return pattern.split()


def _word_element(text: str, optional: bool, language: str) -> _Element:
    if text.endswith("~"):
        return _Element("stem", stem(text[:-1], language), optional=optional, language=language)
    if text.startswith("*"):
        return _Element("suffix", text[1:], optional=optional)
    if text.endswith("*"):
        if len(text) <= _PREFIX:
            raise PatternError(f"{text!r} needs at least {_PREFIX} letters before the *")
        return _Element("prefix", text[:-1], optional=optional)
    return _Element("word", text, optional=optional)


def _keys_of(word: str, language: str) -> tuple[str, str, str]:
    return word, f"{word[:_PREFIX]}*", f"{stem(word, language)}~"


def _is_plain(pattern: Pattern) -> bool:
    """Whether a pattern has only required words, and the index can find the first."""
    words_only = all(
        element.kind in ("word", "prefix", "suffix", "stem") and not element.optional for element in pattern.elements
    )
    return words_only and pattern.elements[0].kind != "suffix"
