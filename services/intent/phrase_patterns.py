"""Patterns over the words of a sentence, as the policy file writes them.

A pattern is elements with a space between, such as `{ask} ... {make} .. {weapon}`. What they match:

    word        that word; `hack*` is any that begins so, `*'s` any that ends so, `kill~` any form of it (`killed`)
    {name}      one of the patterns of a named list
    ..          up to 2 words of any kind
    ...         up to 6 words of any kind
    ^ and $     the beginning and the end of the sentence

A word or list with `?` after it may be missing. Words are compared in lower case. Lists of words are looked up in one
index for all patterns together, so a sentence costs about as much as its words, however long the lists are. Which words
a sentence must have for a pattern to stand in it, `Phrasebook.wanted` tells.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from libs.text.tokens import STOP_WORDS, stem, tokenize

Lists = Mapping[str, Sequence[str]]
"""Named lists of patterns; a list may refer to lists, never to itself."""

_GAPS: Final = {"..": 2, "...": 6}
_HYPHENS = re.compile(r"[-‐‑/]")
_PREFIX: Final = 3
"""Least length of what stands before a `*`: the index looks up so many letters."""


_NOTHING: Final = "$"
"""Follows the last word; no word is that."""


class PatternError(ValueError):
    """A pattern can't be read, names an unknown list, or a list leads back to itself."""


@dataclass(frozen=True, slots=True)
class _Element:
    kind: str
    """word, prefix, suffix, stem, list, gap, begin or end."""
    value: str = ""
    most: int = 0
    optional: bool = False

    @property
    def key(self) -> str:
        """Which words may fit: the word itself, or the first letters of it and a `*`."""
        if self.kind == "prefix":
            return f"{self.value[:_PREFIX]}*"
        return f"{self.value}~" if self.kind == "stem" else self.value

    def fits(self, word: str) -> bool:
        """Whether a word is what this element of kind word, prefix, suffix or stem asks for."""
        if self.kind == "stem":
            return stem(word) == self.value
        if self.kind == "prefix":
            return word.startswith(self.value)
        return word.endswith(self.value) if self.kind == "suffix" else word == self.value


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read, with what must be in a sentence for it to stand there at all."""

    elements: tuple[_Element, ...]
    keys: frozenset[str]
    """Keys (see `_keys_of`) of its words."""
    lists: tuple[str, ...]

    @classmethod
    def of(cls, elements: tuple[_Element, ...]) -> "Pattern":
        """The pattern made of these elements."""
        needed = [element for element in elements if not element.optional]
        keys = frozenset(element.key for element in needed if element.kind in ("word", "prefix", "stem"))
        return cls(elements, keys, tuple(element.value for element in needed if element.kind == "list"))


Wanted = frozenset[str] | None
"""Keys of words of which a sentence has at least one where something stands in it; None: it needs none of its own."""


def rarer(*choices: Wanted) -> Wanted:
    """Of several that are wanted together, the one that fewer sentences have: that with fewer function words."""
    known = [keys for keys in choices if keys is not None]
    return min(known, key=lambda keys: (len(keys & STOP_WORDS), len(keys)), default=None)


class Patterns:
    """Patterns that are looked for together, filed by a word that each needs."""

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

    def possible(self, keys: frozenset[str], stands: Callable[[str], object]) -> Iterator[Pattern]:
        """Those of which the filed word is in a sentence, or the list that they need stands there."""
        for key in self._by_key.keys() & keys:
            yield from self._by_key[key]
        for name, patterns in self._by_list.items():
            if stands(name):
                yield from patterns
        yield from self._others


def words_of(sentence: str) -> tuple[str, ...]:
    """The words as patterns see them: lower case, hyphenated ones in parts, possessives whole (`husband's`)."""
    text = unicodedata.normalize("NFKC", sentence).lower().replace("’", "'")
    return tuple(part for token in tokenize(text) for part in _HYPHENS.split(token.text) if part)


class Phrasebook:
    """Named lists of patterns, indexed.

    Raises:
        PatternError: a pattern in the lists can't be read.
    """

    def __init__(self, lists: Lists) -> None:
        self._names = frozenset(lists)
        self._first_words: dict[str, dict[str, list[tuple[str, Pattern]]]] = {}
        self._lists: dict[str, list[Pattern]] = {}
        self._wanted: dict[str, Wanted] = {}
        self.composites: dict[str, list[Pattern]] = {name: [] for name in lists}
        for name, entries in lists.items():
            self._lists[name] = [self._pattern(entry) for entry in entries]
            for pattern in self._lists[name]:
                self._file(name, pattern)
        for name in lists:
            self._refuse_cycles(name, ())

    def parse(self, patterns: Iterable[str]) -> Patterns:
        """Read patterns.

        Raises:
            PatternError: one of them can't be read.
        """
        return Patterns(tuple(map(self._pattern, patterns)))

    def wanted(self, patterns: Iterable[Pattern]) -> Wanted:
        """What a sentence must have of, for any of the patterns to stand in it."""
        each = [self._wanted_by(pattern) for pattern in patterns]
        return None if None in each else frozenset().union(*(keys for keys in each if keys is not None))

    def _wanted_by(self, pattern: Pattern) -> Wanted:
        of_lists = (self._wanted_in_list(name) for name in pattern.lists)
        return rarer(*(frozenset((key,)) for key in sorted(pattern.keys)), *of_lists)

    def _wanted_in_list(self, name: str) -> Wanted:
        if name not in self._wanted:
            self._wanted[name] = self.wanted(self._lists[name])
        return self._wanted[name]

    def _pattern(self, text: str) -> Pattern:
        return Pattern.of(tuple(map(self._element, _elements(text))))

    def read(self, words: Sequence[str]) -> "PatternReading":
        """A sentence in which patterns can be found."""
        return PatternReading(self, words)

    def plain(self, keys: Iterable[str], following: str) -> Iterator[tuple[str, Pattern]]:
        """The entries of all lists that may begin with a word of these keys and `following`, with their list's name."""
        for key in keys:
            if followed := self._first_words.get(key):
                yield from followed.get("", ())
                yield from followed.get(following, ())

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
        return _word_element(text, optional)

    def _refuse_cycles(self, name: str, inside: tuple[str, ...]) -> None:
        if name in inside:
            raise PatternError(f"the list {name!r} leads back to itself")
        for pattern in self.composites[name]:
            for element in pattern.elements:
                if element.kind == "list":
                    self._refuse_cycles(element.value, (*inside, name))


class PatternReading:
    """The words of one sentence with what the phrasebook finds in them."""

    def __init__(self, book: Phrasebook, words: Sequence[str]) -> None:
        self._book = book
        self.words = words
        each = [_keys_of(word) for word in words]
        self.keys = frozenset(key for keys in each for key in keys)
        """What may be looked up of its words."""
        self._plain: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._lists: dict[str, dict[int, set[int]]] = {}
        for start, (keys, following) in enumerate(zip(each, (*words[1:], _NOTHING), strict=False)):
            for name, pattern in book.plain(keys, following):
                if self._stands(pattern, start):
                    self._plain[name][start].add(start + len(pattern.elements))

    def has(self, patterns: Patterns) -> bool:
        """Whether one of the patterns stands somewhere in the sentence."""
        possible = patterns.possible(self.keys, self._list)
        return any(self._ends(pattern, start) for pattern in possible for start in self._starts(pattern))

    def places(self, patterns: Patterns) -> list[tuple[int, int]]:
        """Where the patterns stand: [start, end) in words, with every end there is, in no order."""
        possible = patterns.possible(self.keys, self._list)
        return [(start, end) for p in possible for start in self._starts(p) for end in self._ends(p, start)]

    def spans(self, name: str) -> list[tuple[int, int]]:
        """Where a list's patterns stand: [start, end) in words, each with its longest end, in order."""
        return [(start, max(ends)) for start, ends in sorted(self._list(name).items())]

    def _list(self, name: str) -> Mapping[int, set[int]]:
        if name not in self._lists:
            found = {start: set(ends) for start, ends in self._plain[name].items()}
            for pattern in self._book.composites[name]:
                for start in self._starts(pattern):
                    if ends := self._ends(pattern, start):
                        found.setdefault(start, set()).update(ends)
            self._lists[name] = found
        return self._lists[name]

    def _starts(self, pattern: Pattern) -> Iterable[int]:
        """Where the pattern might begin; nowhere when something that it needs is not in the sentence."""
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

    def _stands(self, pattern: Pattern, start: int) -> bool:
        elements, words = pattern.elements, self.words
        if start + len(elements) > len(words):
            return False
        # The index found the first word, or its first letters.
        if elements[0].kind == "prefix" and not words[start].startswith(elements[0].value):
            return False
        return len(elements) == 1 or all(elements[i].fits(words[start + i]) for i in range(1, len(elements)))


def _elements(pattern: object) -> list[str]:
    if not isinstance(pattern, str) or not pattern.split():
        raise PatternError(f"a pattern is a text with words in it, not {pattern!r}")
    return pattern.split()


def _word_element(text: str, optional: bool) -> _Element:
    if text.endswith("~"):
        return _Element("stem", stem(text[:-1]), optional=optional)
    if text.startswith("*"):
        return _Element("suffix", text[1:], optional=optional)
    if text.endswith("*"):
        if len(text) <= _PREFIX:
            raise PatternError(f"{text!r} needs at least {_PREFIX} letters before the *")
        return _Element("prefix", text[:-1], optional=optional)
    return _Element("word", text, optional=optional)


def _keys_of(word: str) -> tuple[str, str, str]:
    return word, f"{word[:_PREFIX]}*", f"{stem(word)}~"


def _is_plain(pattern: Pattern) -> bool:
    """Words alone, the first of them one that the index can find."""
    words_only = all(e.kind in ("word", "prefix", "suffix", "stem") and not e.optional for e in pattern.elements)
    return words_only and pattern.elements[0].kind != "suffix"
