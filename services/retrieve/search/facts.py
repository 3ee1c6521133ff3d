"""The facts that a text tells: numbers with units, dates, negations, names and codes, and the words around them.

No I/O.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, TypeAlias

import regex

from libs.language.known import language_of
from libs.language.patterns import NEVER
from libs.language.topics.clauses import Negation
from libs.language.topics.grammar import Inflection
from libs.text.dates.document_dates import find_dates
from libs.text.limits import MAX_WORD
from libs.text.memoize import memoized
from libs.text.numbers.finder import find_numbers
from libs.text.numbers.units import unit_named
from libs.text.said import ANCHOR, names_of, numbers_of, stems_of
from libs.text.tokens import Token, is_stop_word, stem, tokenize

_CODE: Final = regex.compile(r"(?:(?<!\S)(?:--?|[$/#@]))?+\w++(?:[_.@=:\\/#-]\w++){0,20}+")
_IS_CODE: Final = regex.compile(
    r"\A[-$/#@]|[_@=\\#]|\p{L}\w++[.:]\w*\p{L}|\p{Ll}\p{Lu}|\p{Lu}{2}|\p{L}\W?\d|\d\W?\p{L}"
)
_TELLING: Final = regex.compile(r"[^\p{Lu}]")
"""In every code but `FAQ`, which may stand for words."""
_MARKS: Final = regex.compile(r"\A[-$/#@]++|[-_]")
_SENTENCE_END: Final = regex.compile(r"[.?!;:](?:\s|\Z)|\n")
_CLOCK: Final = regex.compile(r"(?<![\d:])(\d{1,2}):(?=\d\d(?![\d:]))")
_DOTTED: Final = regex.compile(r"\b(?:\p{L}\.){2,4}")
_JOINED_UNIT: Final = regex.compile(r"(?<![\w.,-])\d++(?:[.,]\d++)?+(?=\p{L}{1,3}\b)")
_LITTLE: Final = 3
"""Characters of a word that may deny, in a language whose words for it are unknown (taste)."""
_BESIDE: Final = 2
"""Content words on either side of a fact that say what it is a fact of (taste)."""
_NOT: Final = ("not",)
_START: Final = attrgetter("start")
Key: TypeAlias = tuple[object, ...]
"""The kind of a fact and its values."""
Around: TypeAlias = tuple[tuple[str, ...], ...]
"""Stems of words that say what a fact is a fact of."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one text."""

    counted: Counter[Key]
    """Its numbers with their units, dates and negations; all little words where those that deny are unknown."""
    named: frozenset[str]
    """Its codes, and the stems of its names, of what it counts, and of its units."""
    capitalised: frozenset[str]
    """What may be such a name, too, or not: abbreviations, words that open a sentence."""
    stems: frozenset[str]
    """Of all its words; and its codes."""
    content: Counter[str]
    """The stems of its content words outside numbers, dates and negations."""
    around: tuple[tuple[Key, Around], ...]
    """Its numbers, dates, negations and names, each with the content words before and after it in its sentence."""


@memoized(texts=4096, longest=4000)  # taste
def facts_of(text: str, language: str) -> Facts:
    """The facts of a text in plain words; `language` is ISO 639-1."""
    return _FactReader(_evenly_written(text, language), language).read()


def _evenly_written(text: str, language: str) -> str:
    """A text with one form of what is written in several: `2:30` and `2.30`, `a.m.` and `am`, `10h` and `10 h`."""

    def parted(number: regex.Match[str]) -> str:
        unit = regex.match(r"\p{L}+", text, pos=number.end())
        return f"{number[0]} " if unit and unit_named(unit[0], language) else number[0]

    text = text.replace("’", "'")
    even: str = _CLOCK.sub(r"\1.", _JOINED_UNIT.sub(parted, text))
    return str(_DOTTED.sub(lambda dotted: dotted[0].replace(".", ""), even))


class _FactReader:
    """Reads the facts of one text: dates first, since their numbers are none by themselves."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = language
        self._tokens = tokenize(text)
        self._facts = dict[int, Key]()  # by where they start
        self._named, self._capitalised = set[str](), set[str]()
        self._taken = bytearray(len(text))  # 1 for a character of a fact

    def read(self) -> Facts:
        """All facts of the text."""
        self._read_dates()
        self._read_negations()
        codes = self._codes()
        self._read_numbers()
        counted = Counter(self._facts.values())
        self._read_names()
        content = Counter(self._stem(token.text) for token in self._tokens if not self._is_little(token))
        stems = stems_of([self._text], self._language).union(codes)
        named, capitalised = frozenset(self._named), frozenset(self._capitalised)
        return Facts(counted, named, capitalised, stems, content, tuple(self._around()))

    def _take(self, start: int, end: int, key: Key | None = None) -> bool:
        """Whether a span is of no other fact; from now on it is of this one."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\1" * (end - start)
        if key is not None:
            self._facts[start] = key
        return True

    def _read_dates(self) -> None:
        for date in find_dates(self._text, ANCHOR, language=self._language):
            self._take(date.start, date.end, ("date", date.first, date.last, date.part))

    def _read_negations(self) -> None:
        negation = Negation.of(self._language)
        if negation.negator.pattern == NEVER:
            little = [token for token in self._tokens if len(token.text) <= _LITTLE or self._is_stop_word(token)]
            self._facts.update({token.start: (token.text.lower(),) for token in little if not token.is_number})
            return
        text = negation.no_denial.sub(lambda phrase: " " * len(phrase[0]), self._text)
        for negator in negation.negator.finditer(text):
            self._take(*negator.span(), _NOT)

    def _codes(self) -> set[str]:
        """All that is written as one, by which the codes of another text are found in this one."""
        quantities = {number.start for number in find_numbers(self._text, self._language) if number.unit}
        written = [code for code in _CODE.finditer(self._text) if code.start() not in quantities]
        for code in written:
            if _IS_CODE.search(code[0][:MAX_WORD]) and self._take(*code.span()):
                named = self._named if _TELLING.search(code[0]) else self._capitalised
                named.add(_folded(code[0]))
        return {_folded(code[0]) for code in written}

    def _read_numbers(self) -> None:
        """All but 1, which articles tell as well: `an hour`, `one hour`."""
        for number in numbers_of(self._text, self._language):
            key = (f"number of {number.unit}", number.value)
            if number.value != 1 and self._take(number.start, number.end, key) and number.unit is None:
                self._named.update(self._counted(number.end))
        others = (token.text for token in self._tokens if not self._taken[token.start])
        self._named.update(self._stem(word) for word in others if len(word) > 1 and unit_named(word, self._language))

    def _counted(self, end: int) -> Iterator[str]:
        """The word after a number that it counts, or its unit: `5 psi`."""
        at = bisect_left(self._tokens, end, key=_START)
        if at < len(self._tokens) and self._text[end : self._tokens[at].start] == " ":
            token = self._tokens[at]
            yield from () if token.is_number or self._is_stop_word(token) else (self._stem(token.text),)

    def _read_names(self) -> None:
        language = self._language
        for name in names_of(self._text, language):
            first, last = (bisect_left(self._tokens, end, key=_START) for end in (name.start, name.end))
            words = [self._stem(token.text) for token in self._tokens[first:last] if not self._taken[token.start]]
            if name.is_sure or not self._is_common(name.text):
                (self._named if name.is_sure else self._capitalised).update(words)
                self._facts.setdefault(name.start, ("name", *words))

    def _is_common(self, word: str) -> bool:
        """Whether a word has its capital for another reason than that it is a name: all nouns do; `Trucks` has none."""
        plural_suffix = Inflection.of(self._language).plural_suffix
        return language_of(self._language).capitalises_nouns or bool(plural_suffix and word.endswith(plural_suffix))

    def _around(self) -> Iterator[tuple[Key, Around]]:
        """Each fact with the words beside it, and with all of its sentence if that has no other fact of its kind."""
        ends = [0, *(end.end() for end in _SENTENCE_END.finditer(self._text)), len(self._text) + 1]
        content = [(token.start, self._stem(token.text)) for token in self._tokens if not self._is_little(token)]
        kinds = Counter((bisect_right(ends, start), kind) for start, (kind, *_) in self._facts.items())
        for start, key in self._facts.items():
            sentence = bisect_right(ends, start)
            first, last = (bisect_left(content, (end,)) for end in ends[sentence - 1 : sentence + 1])
            here, after = (bisect_left(content, (place,)) for place in (start, start + 1))
            spans = [(max(first, here - _BESIDE), here), (after, min(last, after + _BESIDE))]
            if key == _NOT:
                spans = [(max(first, here - 1), here), (after, min(last, after + 1))]
            elif kinds[sentence, key[0]] == 1:
                spans.append((first, last))
            yield key, tuple(tuple(sorted(word for _, word in content[i:j])) for i, j in spans)

    def _is_little(self, token: Token) -> bool:
        """Whether a token is no content word, or within a number, date or negation."""
        return bool(self._taken[token.start]) or self._is_stop_word(token)

    def _is_stop_word(self, token: Token) -> bool:
        return is_stop_word(token.text, self._language)

    def _stem(self, word: str) -> str:
        return stem(word.lower().removesuffix("s"), self._language)


def _folded(code: str) -> str:
    """A code without its marks, case and hyphens: `E-1234`, `retry_max_delay`, `--dry-run`."""
    plain: str = _MARKS.sub("", code).lower()
    return plain
