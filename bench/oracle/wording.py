"""Sentences in other words, the same facts in them: what a good writer does, by rules. Pure; lengths are taste."""

import re
from collections.abc import Callable, Sequence
from typing import Final

_OTHER_WORDS: Final = tuple(
    (re.compile(rf"\b{words}\b"), others)
    for words, others in (
        ("is not", "isn't"), ("are not", "aren't"), ("does not", "doesn't"), ("do not", "don't"),
        ("can't", "cannot"), ("in order to", "to"), ("is able to", "can"), ("are able to", "can"),
        ("however", "but"), ("for example", "for instance"), ("such as", "like"), ("approximately", "about"),
        ("utilize", "use"), ("additional", "further"), ("must", "has to"),
        ("allows you to", "lets you"), ("provides", "gives"), ("begins", "starts"), ("required", "needed"),
        ("purchase", "buy"), ("obtain", "get"), ("assist", "help"), ("sufficient", "enough"),
    )
)  # fmt: skip
"""Of phrases that mean the same anywhere."""
_MARKUP: Final = re.compile(r"[*`]{1,3}|^\s*(?:[-+>#]+|\d+[.)])\s+|\[([^\]]*)\]\([^)]*\)")
_CELL: Final = re.compile(r"\s*\|\s*")
_LAST_PHRASE: Final = re.compile(
    r"^(?P<main>[A-Z][^,;:]{30,}) (?P<phrase>(?:in|on|at|during|since|after) [^,;:]{3,40})$"
)
_ENDS: Final = ".!?。！？"

Shape = Callable[[Sequence[tuple[str, int]]], str]


def reword(sentence: str) -> str:
    """A unit of a passage as a writer would say it: a sentence without markup, in other words where there are some."""
    text = _CELL.sub(", ", sentence.strip().strip("|").strip()) if sentence.count("|") > 1 else sentence.strip()
    text = " ".join(_MARKUP.sub(lambda match: match[1] or "", text).split()).rstrip(_ENDS + " ")
    for pattern, replacement in _OTHER_WORDS:
        text = pattern.sub(replacement, text)
    if last_phrase := _LAST_PHRASE.match(text):
        phrase = last_phrase["phrase"]
        text = f"{phrase[0].upper()}{phrase[1:]}, {last_phrase['main']}"
    return text


def plain(sentences: Sequence[tuple[str, int]]) -> str:
    """A sentence each."""
    return " ".join(f"{text} [{number}]." for text, number in sentences)


def bullets(sentences: Sequence[tuple[str, int]]) -> str:
    """A list."""
    return "\n".join(f"- {text} [{number}]." for text, number in sentences)


def together(sentences: Sequence[tuple[str, int]]) -> str:
    """Two facts in a sentence."""
    pairs = [sentences[place : place + 2] for place in range(0, len(sentences), 2)]
    return " ".join("; and ".join(f"{text} [{number}]" for text, number in pair) + "." for pair in pairs)


def yes(sentences: Sequence[tuple[str, int]]) -> str:
    """A word that answers, then its ground."""
    is_negative = re.search(r"\b(?:not|no|never|cannot)\b|n't\b", sentences[0][0]) is not None
    return f"{'No' if is_negative else 'Yes'}. {plain(sentences)}"


def german(sentences: Sequence[tuple[str, int]]) -> str:
    """A German frame around the words of the source."""
    return " ".join(f"In den Unterlagen steht dazu: „{text}“ [{number}]." for text, number in sentences)


SHAPES: Final[dict[str, Shape]] = {"plain": plain, "list": bullets, "together": together, "german": german}
YES: Final = "yes"
CODE: Final = "code"


def code(lines: str, number: int) -> str:
    """Code in a fence under a sentence."""
    return f"The documents give this [{number}]:\n\n```\n{lines}\n```"
