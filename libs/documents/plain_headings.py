"""Finds headings in plain text: numbered lines, lines in capitals, and short standalone lines.

Numbers that name no source are chosen by hand.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from libs.documents.furniture import is_contents_line
from libs.documents.lines import PROMPT, Group
from libs.language.known import any_word

LONGEST: Final = 100
"""Maximum length of a heading, in characters."""
_NUMBERED: Final = re.compile(
    r"(?P<number>(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?|[IVXLC]{1,6}\.)[ \t]{1,4}(?P<title>\S.*)\Z"
)
_CHINESE: Final = re.compile(r"第[一二三四五六七八九十百零\d]{1,5}[章节節篇部回]")
_TERMINAL: Final = re.compile(r"[.,;:!?。，；：！？—–-]\Z")
_EMPHASIS: Final = re.compile(r"(?<!\w)[_*]{1,3}(?=\S)|(?<=\S)[_*]{1,3}(?!\w)")
_NO_HEADING: Final = re.compile(r"[-*+•‣▪·–—]\s|\[\d{1,3}\]|\(?\d{1,3}\)")
"""A bullet, a footnote."""
_FIELD: Final = re.compile(r"\w[\w -]{0,24}:\s+\S")
"""A metadata field such as `Author: …`, which is not a heading."""
_LETTER: Final = re.compile(r"[^\W\d_]")
NUMBERED_LEVEL, CAPITALS_LEVEL, LONE_LEVEL = 1, 1, 2  # levels of the three kinds of heading (taste)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as plain text."""

    text: str
    level: int
    groups: int = 1
    """Number of groups of lines that it takes: a chapter's number and name may be separate groups."""


def find_heading(groups: Sequence[Group], position: int, body: int) -> Heading | None:
    """The heading at a group, including a subtitle below it; None if the group is not a heading.

    Args:
        groups: all groups of the text, in order.
        position: position of the group.
        body: the indentation of running text.
    """
    group = groups[position]
    line = _line(group)
    if group.level:
        return Heading(_bare(group.lines[0]), group.level)
    if line is None or position + 1 == len(groups) or group.indent > max(body, 4) or _is_no_heading(group):
        return None
    is_outdented = body >= 2 and group.indent == 0
    number = _NUMBERED.match(line)
    if number and (is_outdented or group.blanks > 1 or body == 0) and _is_title(number["title"]):
        return Heading(line, NUMBERED_LEVEL + number["number"].rstrip(".").count("."))
    in_capitals = _is_capital(line) and (group.blanks > 1 or is_outdented or position == 0)
    if in_capitals or _chapter_pattern().match(line) or _CHINESE.match(line):
        return _with_subtitle(groups, position, line)
    lone = group.blanks > 1 and group.indent <= body
    if (lone or is_outdented) and _is_title(line) and not _FIELD.match(line):
        return Heading(_bare(line), LONE_LEVEL if lone and not is_outdented else NUMBERED_LEVEL)
    return None


def _line(group: Group) -> str | None:
    """The group as one line if it is a short line or a title wrapped once; else None."""
    if len(group.lines) > 2:
        return None
    line = " ".join(" ".join(group.lines).split())
    return line if len(line) <= LONGEST and _LETTER.search(line) else None


def _is_title(line: str) -> bool:
    bare = _bare(line)
    return bool(bare) and not _TERMINAL.search(bare) and not bare[0].islower() and len(bare.split()) <= 14


def _is_no_heading(group: Group) -> bool:
    return any(pattern.match(group.lines[0].strip()) for pattern in (_NO_HEADING, PROMPT)) or any(
        map(is_contents_line, group.lines)
    )


def _is_capital(line: str) -> bool:
    """Whether a line is in capitals."""
    letters = _LETTER.findall(line)
    return len(letters) > 2 and sum(letter.isupper() for letter in letters) >= 0.8 * len(letters)


def _bare(line: str) -> str:
    return _EMPHASIS.sub("", line).strip()


def _with_subtitle(groups: Sequence[Group], position: int, line: str) -> Heading:
    """A heading joined with up to two lines in capitals below it: `CHAPTER I` and the chapter's name."""
    titles, count = [_bare(line)], 1
    while position + count < len(groups) - 1 and count < 3:
        following = groups[position + count]
        below = _line(following)
        if below is None or following.blanks > 1 or not _is_capital(below):
            break
        titles.append(_bare(below))
        count += 1
    text = ": ".join(titles)
    return Heading(text[: 2 * LONGEST], CAPITALS_LEVEL, groups=count)


@lru_cache(maxsize=1)
def _chapter_pattern() -> re.Pattern[str]:
    """A pattern for `Chapter 3` or `Teil II`; compiled on first use."""
    chapters = any_word(lambda language: language.chapter_words)
    return re.compile(rf"(?:{chapters})\s+(?:\d{{1,3}}|[IVXLC]{{1,6}}|[A-Z])\b", re.IGNORECASE)
