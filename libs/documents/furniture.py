"""Detects page furniture in plain text: running headers and footers, tables of contents.

A line counts as a page number line if it recurs with numbers that only increase. Lines that recur next to such lines
are headers and footers. Numbers that name no source are chosen by hand.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from libs.language.known import any_word

MIN_PAGES: Final = 4
"""How often a line must occur to count as furniture."""
_NUMBER: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_BESIDE: Final = 3
"""Most blank lines between a page's footer and the next page's header."""
_SENTENCE_END: Final = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*\s*\Z")
_DOTTED: Final = re.compile(r"(?<![ .])(?>[ .]*?(?:\.{3}|(?:\. ){3}))[ .]*+(?:\d{1,4}|[ivxlc]{1,7})\s*\Z")
_SPACED: Final = re.compile(r"(?:(?<![ \t])|(?<=(?<![ \t])[ ])(?=\t))(?:\t|[ ]{2})[ \t]*+(?:\d{1,4}|[ivxlc]{1,7})\s*\Z")
_CELLS: Final = re.compile(r"\t+|[ ]{2,}")
_PAGE: Final = re.compile(r"\d{1,4}\s*\Z")


def without_page_furniture(text: str) -> str:
    """Remove running headers, footers and form feeds; rejoin paragraphs that a page break split."""
    lines = text.replace("\f", "\n").split("\n")
    furniture = set(_furniture_lines(lines))
    if not furniture:
        return "\n".join(lines)
    return "\n".join(_join(lines, furniture))


def is_contents(lines: Sequence[str]) -> bool:
    """Whether lines are a table of contents: most end in an increasing page number after dots or a gap.

    With gaps alone it could be a table whose last column is a number. Then no entry may have another number, and the
    first line must be an entry.
    """
    content = [line for line in lines if line.strip()]
    entries = [line for line in content if is_contents_line(line)]
    if len(content) < 3 or len(entries) < 0.6 * len(content) or not _grow([_page(line) for line in entries]):
        return False
    if sum(bool(_DOTTED.search(line)) for line in entries) >= 0.5 * len(entries):
        return True
    return entries[0] is content[0] and all(map(_has_one_page, entries))


def is_contents_line(line: str) -> bool:
    """Whether a line ends in a page number after dots or a gap."""
    return bool(_DOTTED.search(line) or _SPACED.search(line.strip()))


def _page(line: str) -> int:
    """The page number at the end of a line; 0 for a Roman numeral."""
    match = _PAGE.search(line)
    return int(match[0]) if match else 0


def _grow(pages: Sequence[int]) -> bool:
    """Whether at most a tenth of the page numbers decrease."""
    return sum(page > next_page for page, next_page in pairwise(pages)) <= 0.1 * len(pages)


def _has_one_page(line: str) -> bool:
    """Whether only a title, which may be numbered, precedes the page number."""
    _, *cells = _CELLS.split(before := _SPACED.sub("", line.strip()))
    return bool(_LETTERS.search(before)) and not any(cell.replace(".", "").isdigit() for cell in cells)


def _furniture_lines(lines: Sequence[str]) -> Iterator[int]:
    """Positions of page number lines and of the headers and footers next to them."""
    lines_by_shape: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for position, line in enumerate(lines):
        numbers = _NUMBER.findall(line)
        if 0 < len(numbers) <= 4 and len(line) < 160:
            lines_by_shape[_shape(line)].append((position, int(numbers[-1][:9])))
    pages = [at for shape, places in lines_by_shape.items() if _counts_pages(shape, places) for at, _ in places]
    yield from pages
    neighbours_by_shape: dict[str, list[int]] = defaultdict(list)
    for page in pages:
        for at in _neighbours(lines, page):
            neighbours_by_shape[_shape(lines[at])].append(at)
    for places in neighbours_by_shape.values():
        if len(places) >= max(MIN_PAGES, 0.3 * len(pages)):
            yield from places


def _shape(line: str) -> str:
    return _NUMBER.sub("#", " ".join(line.split()))


def _counts_pages(shape: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether the last number in lines of the same shape increases by about one each time, as page numbers do."""
    if len(places) < MIN_PAGES or len(_LETTERS.findall(shape)) > 100:
        return False
    steps = [next_place[1] - place[1] for place, next_place in pairwise(places)]
    distances = [next_place[0] - place[0] for place, next_place in pairwise(places)]
    if not all(step > 0 for step in steps) or sum(step <= 2 for step in steps) < 0.8 * len(steps) or min(distances) < 5:
        return False
    return not _LETTERS.search(shape) or bool(_page_named().search(shape))


def _neighbours(lines: Sequence[str], page: int) -> Iterator[int]:
    """The nearest non-blank lines above and below."""
    for direction in (-1, 1):
        for distance in range(1, _BESIDE + 2):
            at = page + direction * distance
            if 0 <= at < len(lines) and lines[at].strip():
                yield at
                break


def _join(lines: Sequence[str], furniture: set[int]) -> Iterator[str]:
    """The lines that are kept; at a page break, a blank line only if a paragraph ends there."""
    before = ""
    after_break = False
    blanks = 0
    for position, line in enumerate(lines):
        if position in furniture:
            after_break = True
        elif not line.strip():
            blanks += 1
        else:
            if after_break:
                yield from [] if _goes_on(before, line) else [""]
            else:
                yield from [""] * blanks
            yield line
            before, after_break, blanks = line, False, 0


def _goes_on(before: str, line: str) -> bool:
    """Whether a line continues the paragraph of the previous one."""
    if not before or _SENTENCE_END.search(before):
        return False
    first = line.strip()[:1]
    return first.islower() or (len(before.rstrip()) > 55 and _indent(before) == _indent(line) and not first.isdigit())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=1)
def _page_named() -> re.Pattern[str]:
    """A pattern for the word `page` in all known languages; compiled on first use."""
    return re.compile(rf"(?<![^\W\d_])(?:{any_word(lambda language: language.page_words)})(?![^\W\d_])", re.IGNORECASE)
