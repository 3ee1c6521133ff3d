"""Removes a model's markup from its prose: images, links and tags.

A client that renders Markdown or HTML would fetch their targets, which could leak the conversation to a third-party
server. Citations are numbers, so nothing is lost.
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
"""Characters; anything that is still open after them is not markup."""


def plain_prose(text: str) -> str:
    """Return the text without images and tags, and links as their text; citation markers remain, without a link."""
    if "[" not in text and "<" not in text:
        return text
    return _TAG.sub("", _LINK.sub(r"\1", _LINKED_MARKER.sub(r"\1", _PICTURE.sub("", text))))


def without_open_markup(text: str) -> str:
    """Return the text up to an image, a link, a tag or a citation marker that may yet be closed."""
    tail = max(0, len(text) - LONGEST_MARKUP)
    match = _OPENS.search(text, tail)
    return text[: match.start()] if match else text
