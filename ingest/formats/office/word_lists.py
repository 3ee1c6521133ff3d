"""The numbers and bullets of a Word file's paragraphs, as Word shows them. Pure; levels are Word's, 0 to 8."""

import re
from collections import defaultdict
from typing import Final

from ingest.formats.office.packages import Element, tag, value, whole
from ingest.formats.office.word_styles import Styles

BULLET: Final = "-"
_PLACE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = {100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"}


class Lists:
    """Counts the items of the lists of a file, in the order of the text."""

    def __init__(self, root: Element, styles: Styles) -> None:
        self._styles = styles
        self._levels: dict[str, dict[int, Element]] = {}
        self._list_of: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        for definition in root.iter(tag("w:abstractNum")):
            levels = {whole(level.get(tag("w:ilvl"))): level for level in definition.iter(tag("w:lvl"))}
            self._levels[definition.get(tag("w:abstractNumId"), "")] = levels
        for number in root.iter(tag("w:num")):
            key = number.get(tag("w:numId"), "")
            self._list_of[key] = value(number, "w:abstractNumId") or ""
            for override in number.iter(tag("w:lvlOverride")):
                if start := value(override, "w:startOverride"):
                    self._restarts[key, whole(override.get(tag("w:ilvl")))] = whole(start)

    def marker(self, paragraph: Element) -> tuple[str, int]:
        """The number or bullet of the next paragraph, and its depth; an empty one if it has none."""
        chain = self._styles.chain(value(paragraph, "w:pPr/w:pStyle"))
        holders = [paragraph, *(style.element for style in chain)]
        number, depth = (
            next((found for holder in holders if (found := value(holder, f"w:pPr/w:numPr/w:{name}"))), "0")
            for name in ("numId", "ilvl")
        )
        return ("" if number == "0" else self._next(number, whole(depth))), whole(depth)

    def _next(self, number: str, depth: int) -> str:
        key = self._list_of.get(number, number)
        levels, counts = self._levels.get(key, {}), self._counts[key]
        level = levels.get(depth)
        if level is None or value(level, "w:numFmt") == "bullet":
            return BULLET
        start = self._restarts.pop((number, depth), None)
        counts[depth] = counts.get(depth, _start(level) - 1) + 1 if start is None else start
        for deeper in [other for other in counts if other > depth]:
            del counts[deeper]

        def shown(place: re.Match[str]) -> str:
            outer = levels.get(int(place[1]) - 1)
            return _counted(value(outer, "w:numFmt") or "", counts.get(int(place[1]) - 1, _start(outer)))

        return _PLACE.sub(shown, value(level, "w:lvlText") or "").strip() or BULLET


def _start(level: Element | None) -> int:
    return whole(value(level, "w:start"), 1)


def _counted(form: str, count: int) -> str:
    """The number of an item in the form of its level, such as `lowerRoman`."""
    text = "" if form == "none" else str(count)
    if form.endswith("Letter"):
        text = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 9)
    elif form.endswith("Roman") and count < 400:
        text = ""
        for size, sign in _ROMAN.items():
            text += sign * (count // size)
            count %= size
    return text.upper() if form.startswith("upper") else text
