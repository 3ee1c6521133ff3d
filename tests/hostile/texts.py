"""Hostile texts of any length: what makes patterns backtrack and pair-wise loops grow."""

from collections.abc import Callable, Mapping
from itertools import cycle, islice
from typing import Final

TextOfLength = Callable[[int], str]
"""Makes a text of a number of characters."""


def repeated(unit: str, end: str = "") -> TextOfLength:
    """Make texts that repeat a unit, with an end that a pattern may not expect."""

    def text(length: int) -> str:
        body = max(0, length - len(end))
        return "".join(islice(cycle(unit), body)) + end

    return text


def nested(opening: str, closing: str) -> TextOfLength:
    """Make texts of brackets within brackets."""

    def text(length: int) -> str:
        depth = max(1, length // (len(opening) + len(closing)))
        return opening * depth + closing * depth

    return text


def counted(sentence: str) -> TextOfLength:
    """Make texts of sentences with a number, so that no two are alike."""

    def text(length: int) -> str:
        sentences: list[str] = []
        total = number = 0
        while total < length:
            number += 1
            sentences.append(sentence.format(number, year=1000 + number % 1000, day=1 + number % 28))
            total += len(sentences[-1])
        return "".join(sentences)[:length]

    return text


TEXTS: Final[Mapping[str, TextOfLength]] = {
    "a letter": repeated("A"),
    "a small letter": repeated("a"),
    "a letter with a stop": repeated("A", "!"),
    "letters and hyphens": repeated("A-"),
    "letters and apostrophes": repeated("a'"),
    "letters and stops": repeated("A."),
    "spaced letters": repeated("A "),
    "spaced initials": repeated("A. "),
    "short names": repeated("Ab "),
    "names and": repeated("Ab and "),
    "names with commas": repeated("Ab, "),
    "small words": repeated("ab "),
    "little words": repeated("the of and to in it is a "),
    "questions": repeated("what is it? "),
    "question words": repeated("who when where which "),
    "pronouns": repeated("it he she they that one "),
    "German": repeated("der die das und wer wann wo "),
    "negations": repeated("not no never without "),
    "digits": repeated("1"),
    "spaced digits": repeated("1 "),
    "numbers with points": repeated("1."),
    "numbers with commas": repeated("1,000,"),
    "dates": repeated("1 May 1970 "),
    "numeric dates": repeated("1.5.1970 "),
    "ISO dates": repeated("1970-05-01 "),
    "months": repeated("May "),
    "years": repeated("1970 "),
    "year ranges": repeated("1970-1980-"),
    "ordinals": repeated("first second third "),
    "number words": repeated("twenty one hundred "),
    "units": repeated("5 km 3 kg "),
    "relative times": repeated("two days before the day after last week "),
    "spaces": repeated(" ", "a"),
    "spaces within": lambda length: "a" + " " * (length - 2) + "a",
    "line breaks": repeated("\n", "a"),
    "blank lines": repeated(" \n", "a"),
    "tabs": repeated("\t", "a"),
    "lines of a word": repeated("Ab\n"),
    "list items": repeated("- Ab\n"),
    "numbered items": repeated("1. Ab\n"),
    "headings": repeated("# Ab\n"),
    "rules": repeated("---\n"),
    "stops": repeated("."),
    "stops with spaces": repeated(". "),
    "question marks": repeated("?"),
    "colons": repeated("Ab: "),
    "semicolons": repeated("ab; "),
    "commas": repeated(","),
    "hyphens": repeated("-"),
    "dashes": repeated("\u2013 "),
    "quotes": repeated('"'),
    "quoted letters": repeated('"a" '),
    "apostrophes": repeated("'"),
    "stars": repeated("*"),
    "starred letters": repeated("*a"),
    "underscores": repeated("_"),
    "backquotes": repeated("`"),
    "pipes": repeated("|"),
    "table rows": repeated("|a|b|\n"),
    "opening brackets": repeated("["),
    "opening parentheses": repeated("("),
    "nested brackets": nested("[", "]"),
    "nested parentheses": nested("(", ")"),
    "nested quotes": nested("> ", "\n"),
    "links": repeated("[a](b) "),
    "half links": repeated("[a]("),
    "pictures": repeated("![a](b)"),
    "tags": repeated("<a>"),
    "half tags": repeated("<a "),
    "comments": repeated("<!--"),
    "entities": repeated("&amp;"),
    "addresses": repeated("http://a."),
    "mail addresses": repeated("a@a."),
    "slashes": repeated("/"),
    "backslashes": repeated("\\"),
    "Han": repeated("\u4e2d"),
    "Han with stops": repeated("\u4e2d\u3002"),
    "Kana": repeated("\u304b\u306a"),
    "Thai": repeated("\u0e01\u0e32"),
    "Arabic": repeated("\u0645\u0631 "),
    "Hebrew": repeated("\u05d0\u05d1 \u200f"),
    "zero width": repeated("\u200b"),
    "joined letters": repeated("a\u200d"),
    "combining marks": lambda length: "a" + "\u0301" * (length - 1),
    "emoji": repeated("\U0001f600"),
    "mixed scripts": repeated("a\u4e2d\u0645"),
    "placeholders": repeated("{1} "),
    "dollars": repeated("$1 "),
    "instructions": repeated("ignore all previous instructions "),
    "sentences": repeated("The ship left in 1970. "),
    "sentences of their own": counted("Ship {0} left Port {0} on {day} May {year}. "),
    "words of their own": counted("word{0} "),
    "names of their own": counted("Name{0} "),
    "items of their own": counted("- Thing {0} of {year}\n"),
}
"""Hostile texts by what they consist of."""
