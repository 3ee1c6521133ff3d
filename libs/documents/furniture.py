"""Page furniture: running heads and feet that a printer put on every page of a plain text, and lists of pages.

A line is a page number's when it comes again with other numbers that only grow; lines that stand beside such a line on
nearly every page are heads and feet.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median
from typing import Final

from libs.language.known import any_word

LEAST_PAGES: Final = 4
"""Times that a line must come again before it is taken for furniture."""
_NUMBER: Final = re.compile(r"\d+")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_BESIDE: Final = 3
"""Blank lines that may stand between a page's foot and the next page's head."""
_SENTENCE_END: Final = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*\s*\Z")
_DOTTED: Final = re.compile(r"(?:\.{3,}|(?:\. ){3,})[ .]*(?:\d{1,4}|[ivxlc]{1,7})\s*\Z")
_SPACED: Final = re.compile(r"(?:\t|[ ]{2})[ \t]*(?:\d{1,4}|[ivxlc]{1,7})\s*\Z")
_CELLS: Final = re.compile(r"\t+|[ ]{2,}")
_PAGE: Final = re.compile(r"\d{1,4}\s*\Z")
_PAGES: Final = re.compile(r"(?<=[,–-])\s*\d{1,4}")
_FIRST_LETTER: Final = re.compile(r"\W*([^\W\d_])")
_LEAST_LINES: Final = 20
"""Of a page that names no page number as such."""
_TERM_WITH_PAGES: Final = re.compile(r"^\s*\S.{0,80}?,\s*\d{1,4}(?:\s*[-–,]\s*\d{1,4}|\s*(?:ff?|n)\.)*[.;,]?\s*\Z")


def without_page_furniture(text: str) -> str:
    """The text without running heads, feet and form feeds; a paragraph that a page break divided is whole again."""
    lines = text.replace("\f", "\n").split("\n")
    furniture = set(_furniture_lines(lines))
    if not furniture:
        return "\n".join(lines)
    return "\n".join(_joined(lines, furniture))


def is_contents(lines: Sequence[str]) -> bool:
    """Whether lines are a table of contents: most of them end in a page number that grows, behind dots or a gap.

    Behind gaps alone it might be a table whose last column is a number: then no line may have another number, and none
    may stand at the head that has no page.
    """
    told = [line for line in lines if line.strip()]
    entries = [line for line in told if is_contents_line(line)]
    if len(told) < 3 or len(entries) < 0.6 * len(told) or not _grow([_page(line) for line in entries]):
        return False
    if sum(bool(_DOTTED.search(line)) for line in entries) >= 0.5 * len(entries):
        return True
    return entries[0] is told[0] and all(map(_has_one_page, entries))


def is_contents_line(line: str) -> bool:
    """Whether a line ends in a page number behind dots or a gap."""
    return bool(_DOTTED.search(line) or _SPACED.search(line.strip()))


def is_index(lines: Sequence[str]) -> bool:
    """Whether lines under such a heading are a back-of-the-book index: most of them are terms with page numbers."""
    told = [line for line in lines if line.strip()]
    return len(told) >= 3 and sum(bool(_TERM_WITH_PAGES.match(line)) for line in told) >= 0.5 * len(told)


def is_plain_index(lines: Sequence[str]) -> bool:
    """The same without a heading that says so: in the order of the alphabet, with one page or several that grow."""
    told = [line for line in lines if line.strip()]
    entries = [line for line in told if _TERM_WITH_PAGES.match(line)]
    letters = [found[1].lower() if (found := _FIRST_LETTER.match(line)) else "" for line in entries]
    pages = [[int(page) for page in _PAGES.findall(line)] for line in entries]
    alphabetical = all(letters) and all(one <= other for one, other in pairwise(letters))
    return is_index(lines) and alphabetical and len(set(map(len, pages))) > 1 and all(map(_grow, pages))


def _page(line: str) -> int:
    """0 for a Roman one."""
    found = _PAGE.search(line)
    return int(found[0]) if found else 0


def _grow(pages: Sequence[int]) -> bool:
    """Whether hardly a page is lower than the one before it."""
    return sum(one > other for one, other in pairwise(pages)) <= 0.1 * len(pages)


def _has_one_page(line: str) -> bool:
    """Whether nothing but a title, which may be numbered, stands before the page."""
    _, *cells = _CELLS.split(before := _SPACED.sub("", line.strip()))
    return bool(_LETTERS.search(before)) and not any(cell.replace(".", "").isdigit() for cell in cells)


def _furniture_lines(lines: Sequence[str]) -> Iterator[int]:
    """Positions of page numbers and of what stands beside them."""
    numbered: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for position, line in enumerate(lines):
        numbers = _NUMBER.findall(line)
        if 0 < len(numbers) <= 4 and len(line) < 160:
            numbered[_shape(line)].append((position, int(numbers[-1][:9])))
    pages = [at for shape, places in numbered.items() if _counts_pages(shape, places) for at, _ in places]
    yield from pages
    beside: dict[str, list[int]] = defaultdict(list)
    for page in pages:
        for at in _neighbours(lines, page):
            beside[_shape(lines[at])].append(at)
    for places in beside.values():
        if len(places) >= max(LEAST_PAGES, 0.3 * len(pages)):
            yield from places


def _shape(line: str) -> str:
    return _NUMBER.sub("#", " ".join(line.split()))


def _counts_pages(shape: str, places: Sequence[tuple[int, int]]) -> bool:
    """Whether the last number of lines of a shape grows by about one from each to the next, as page numbers do."""
    if len(places) < LEAST_PAGES or len(_LETTERS.findall(shape)) > 100:
        return False
    steps = [following[1] - one[1] for one, following in pairwise(places)]
    apart = [following[0] - one[0] for one, following in pairwise(places)]
    if not all(step > 0 for step in steps) or sum(step <= 2 for step in steps) < 0.8 * len(steps) or min(apart) < 5:
        return False
    return not _LETTERS.search(shape) or bool(_page_named().search(shape)) or _are_pages(apart)


def _are_pages(apart: Sequence[int]) -> bool:
    """Whether lines stand about a page apart each: headings such as `Article 7` are numbered too."""
    usual = median(apart)
    return usual >= _LEAST_LINES and sum(abs(lines - usual) <= 0.2 * usual for lines in apart) >= 0.8 * len(apart)


def _neighbours(lines: Sequence[str], page: int) -> Iterator[int]:
    """The nearest lines above and below that are not blank."""
    for direction in (-1, 1):
        for distance in range(1, _BESIDE + 2):
            at = page + direction * distance
            if 0 <= at < len(lines) and lines[at].strip():
                yield at
                break


def _joined(lines: Sequence[str], furniture: set[int]) -> Iterator[str]:
    """The lines that stay; at a page break a blank one only where a paragraph ends."""
    before = ""
    broken = False
    blanks = 0
    for position, line in enumerate(lines):
        if position in furniture:
            broken = True
        elif not line.strip():
            blanks += 1
        else:
            if broken:
                yield from [] if _goes_on(before, line) else [""]
            else:
                yield from [""] * blanks
            yield line
            before, broken, blanks = line, False, 0


def _goes_on(before: str, line: str) -> bool:
    """Whether a line goes on with the paragraph of the one before."""
    if not before or _SENTENCE_END.search(before):
        return False
    first = line.strip()[:1]
    return first.islower() or (len(before.rstrip()) > 55 and _indent(before) == _indent(line) and not first.isdigit())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=1)
def _page_named() -> re.Pattern[str]:
    """A word for a page; compiled with the first text that seems to have pages."""
    return re.compile(rf"(?<![^\W\d_])(?:{any_word(lambda language: language.page_words)})(?![^\W\d_])", re.IGNORECASE)
