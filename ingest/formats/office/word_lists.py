"""The numbers and bullets of a Word file's paragraphs, as Word shows them. Pure; levels are Word's, 0 to 8."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ingest.formats.office.packages import tag, value, whole
from ingest.formats.office.word_styles import Styles

if TYPE_CHECKING:
    from lxml.etree import _Element

BULLET: Final = "-"
_PLACE: Final = re.compile(r"%([1-9])")
_SIZES: Final = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
_SIGNS: Final = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")


@dataclass(frozen=True, slots=True)
class _Level:
    format: str
    text: str
    """Such as "%1.%2."; a bullet's own sign."""
    start: int


class Lists:
    """Counts the items of the lists of a file, in the order of the text."""

    def __init__(self, root: "_Element | None", styles: Styles) -> None:
        self._styles = styles
        self._levels: dict[str, dict[int, _Level]] = {}
        self._list_of: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        if root is not None:
            for definition in root.iter(tag("w:abstractNum")):
                self._levels[definition.get(tag("w:abstractNumId"), "")] = dict(
                    map(_level, definition.iter(tag("w:lvl")))
                )
            for number in root.iter(tag("w:num")):
                key = number.get(tag("w:numId"), "")
                self._list_of[key] = value(number, "w:abstractNumId") or ""
                self._restarts[key] = {
                    whole(override.get(tag("w:ilvl"))): whole(value(override, "w:startOverride"))
                    for override in number.iter(tag("w:lvlOverride"))
                    if value(override, "w:startOverride")
                }

    def marker(self, paragraph: "_Element") -> tuple[str, int] | None:
        """The number or bullet of the next paragraph, and its depth; None if it has none."""
        chain = self._styles.chain(value(paragraph, "w:pPr/w:pStyle"))
        holders = [paragraph, *(style.element for style in chain)]
        number = next((found for holder in holders if (found := value(holder, "w:pPr/w:numPr/w:numId"))), "0")
        if number == "0":
            return None
        depths = (value(holder, "w:pPr/w:numPr/w:ilvl") for holder in holders)
        depth = whole(next((found for found in depths if found), "0"))
        return self._next(number, depth), depth

    def _next(self, number: str, depth: int) -> str:
        key = self._list_of.get(number, number)
        levels, counts = self._levels.get(key, {}), self._counts[key]
        level = levels.get(depth, _Level("bullet", "", 1))
        if level.format == "bullet":
            return BULLET
        start = self._restarts.get(number, {}).pop(depth, None)
        counts[depth] = counts.get(depth, level.start - 1) + 1 if start is None else start
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]
        return _PLACE.sub(lambda place: _counted(levels, counts, int(place[1]) - 1), level.text).strip() or BULLET


def _level(element: "_Element") -> tuple[int, _Level]:
    start = value(element, "w:start")
    level = _Level(value(element, "w:numFmt") or "", value(element, "w:lvlText") or "", whole(start or "1"))
    return whole(element.get(tag("w:ilvl"))), level


def _counted(levels: dict[int, _Level], counts: dict[int, int], depth: int) -> str:
    """The number of the item of a level that the text is in."""
    level = levels.get(depth, _Level("decimal", "", 1))
    count = counts.get(depth, level.start)
    if level.format.endswith("Letter") and count > 0:
        letters = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 9)
        return letters.upper() if level.format.startswith("upper") else letters
    if level.format.endswith("Roman") and 0 < count < 4000:
        return _roman(count).upper() if level.format.startswith("upper") else _roman(count)
    return "" if level.format == "none" else str(count)


def _roman(count: int) -> str:
    letters = ""
    for size, sign in zip(_SIZES, _SIGNS, strict=True):
        letters += sign * (count // size)
        count %= size
    return letters
