"""Files composed at random from the places that a format has for text, each with a sentence that stands nowhere else.

`places/KIND.toml` has what programs write, by people who know the formats, not what the readers read. In it § is a
sentence, ‹ and › its halves, ≡ the latest one again, № a number of this place, ↓ a height on the page; «row» is one of
a symbol's productions, «row+» are one to three. A production may take something in further parts of the file: `./` is
the folder of its own part, and `rels` holds that part's relations. Below a place whose name begins with `hidden`, no
reader of the file sees the text.
"""

import random
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.fakes.composed_files import packed_as

PLACES: Final = Path(__file__).parent / "places"
KINDS: Final = (
    *("docx", "pptx", "xlsx", "odt", "ods", "odp", "pdf", "html", "epub", "md", "rst", "adoc", "tex", "rtf"),
    *("ipynb", "eml", "msg", "csv", "txt"),
)
_TOKEN: Final = re.compile(r"«(\w+)(\+?)»|[§‹›≡№↓]")
_MACRO: Final = re.compile(r"@(\w+)@")
DEEPEST: Final = 3
"""Places within places; below, only those that hold no others."""
SYLLABLES: Final = ("ba", "co", "di", "fu", "ga", "hel", "ki", "lo", "mar", "ne", "po", "rus", "sta", "ti", "vo", "zen")


@cache
def grammar(kind: str) -> Mapping[str, Mapping[str, Any]]:
    """The symbols of a format with their productions, with those of the formats that it is based on."""
    own = tomllib.loads((PLACES / f"{kind}.toml").read_text("utf-8"))
    base = grammar(own.pop("use")) if "use" in own else {}
    shared = {name: {**base.get(name, {}), **own.get(name, {})} for name in ("macros", "root", "wrappers")}
    return {**base, **own, **shared}


class Composer:
    """Composes files of one kind, each from the places that were used least."""

    def __init__(self, kind: str, seed: int) -> None:
        self._kind, self._grammar = kind, grammar(kind)
        self._chance, self._uses = random.Random(seed), Counter[tuple[str, str]]()
        self._said, self._number, self._height = seed * 4096, 0, 0
        self._part, self._parts = "", defaultdict[str, str](str)
        self.sentences: dict[str, str] = {}
        """The places of the latest file's sentences, as "table/row/cell"."""

    def compose(self) -> bytes:
        """The next file."""
        self.sentences, self._height = {}, 800
        self._parts.clear()
        for part, template in self._grammar["root"].items():
            self._add(part, template, "", 0)
        for part, wrapper in self._grammar["wrappers"].items():
            self._parts[part] = wrapper.replace("*", self._parts[part])
        return packed_as(self._kind, {part: self._plain(text) for part, text in self._parts.items()})

    def _plain(self, text: str) -> str:
        """A text without macros, which may have others within."""
        macros = self._grammar["macros"]
        for _ in range(2):
            text = _MACRO.sub(lambda match: macros.get(match[1], match[0]), text)
        return text

    def _add(self, part: str, template: str, place: str, depth: int) -> None:
        outer = self._part
        folder, _, name = outer.rpartition("/")
        self._part = f"{folder}/_rels/{name}.rels" if part == "rels" else part.replace("./", f"{folder}/")
        self._parts[self._part] += self._expanded(template, place, depth)
        self._part = outer

    def _expanded(self, template: str, place: str, depth: int) -> str:
        sentence = ""

        def token(match: re.Match[str]) -> str:
            nonlocal sentence
            if match[1]:
                count = self._chance.randint(1, 3) if match[2] else 1
                return "".join(self._chosen(match[1], place, depth) for _ in range(count))
            if match[0] in "§‹":
                sentence = self._sentence(place)
            self._height -= 18 if match[0] == "↓" else 0
            third = len(sentence) // 3
            others = {"‹": sentence[:third], "›": sentence[third:], "↓": str(self._height)}
            return others.get(match[0], sentence)

        return _TOKEN.sub(token, template)

    def _chosen(self, symbol: str, place: str, depth: int) -> str:
        productions = self._grammar[symbol]
        names = [name for name in productions if depth < DEEPEST or "«" not in str(productions[name])]
        name = min(names or productions, key=lambda name: (self._uses[symbol, name], self._chance.random()))
        self._uses[symbol, name] += 1
        self._number += 1
        production = productions[name]
        parts = dict(production) if isinstance(production, dict) else {"here": production}
        number, place = str(self._number), f"{place}/{name}".lstrip("/")
        here = parts.pop("here").replace("№", number)
        for part, template in parts.items():
            self._add(part.replace("№", number), template.replace("№", number), place, depth + 1)
        return self._expanded(here, place, depth + 1)

    def _sentence(self, place: str) -> str:
        self._said += 1
        word = "".join(SYLLABLES[self._said // 16**power % 16] for power in range(4)).capitalize()
        sentence = f"{word} was seen by {self._chance.choice(('Ann', 'Bob', 'Eve'))} in the harbour."
        self.sentences[sentence] = place
        return sentence
