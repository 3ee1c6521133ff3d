"""A model's markup taken out of its prose: pictures, links and tags.

Whoever shows the text as Markdown or HTML would fetch what they point at, and so could be made to carry words of the
conversation to a stranger's server. What is cited is cited by numbers, so that nothing is lost.
"""

import re

_LABEL, _TARGET = r"[^\[\]\n]{0,200}", r"[^()\n]{0,300}"
_PICTURE = re.compile(rf"!\[{_LABEL}\](?:\({_TARGET}\)|\[{_LABEL}\])\s?")
_LINKED_MARKER = re.compile(rf"(\[[\d,; ]+\])\({_TARGET}\)")
_LINK = re.compile(rf"\[({_LABEL})\]\({_TARGET}\)")
_TAG = re.compile(
    r"</?(?:a|audio|base|body|br|div|embed|form|html|iframe|img|input|link|meta|object|p|script|span|style|svg|video)"
    r"\b[^<>\n]{0,400}>\s?",
    re.IGNORECASE,
)
_OPENS = re.compile(r"!?\[[^\]\n]*\Z|!?\[[^\[\]\n]*\]\([^)\n]*\Z|!\Z|<[a-zA-Z/][^>\n]*\Z")
LONGEST_MARKUP = 600
"""Characters; what has not closed after them is no markup."""


def plain_prose(text: str) -> str:
    """The text without pictures and tags, links as their words; a citation's marker stays one, wherever it leads."""
    if "[" not in text and "<" not in text:
        return text
    return _TAG.sub("", _LINK.sub(r"\1", _LINKED_MARKER.sub(r"\1", _PICTURE.sub("", text))))


def without_open_markup(text: str) -> str:
    """Up to where a picture, a link, a tag or a citation's marker begins that may yet be closed."""
    tail = max(0, len(text) - LONGEST_MARKUP)
    opened = _OPENS.search(text, tail)
    return text[: opened.start()] if opened else text
