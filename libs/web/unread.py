"""Takes out of an HTML element what is not read: scripts, controls, hidden elements. Changes the element."""

from collections.abc import Iterator
from typing import Final, Literal

from lxml.etree import _Element, iterwalk, strip_elements

from libs.web.elements import line_of

LeftOut = Literal["HIDDEN", "FURNITURE", "PICTURE", "OBJECT"]
"""Why words are left out: nobody sees them, they run over all pages, are a picture, or stand for what is not read."""
SKIPPED: Final = frozenset(
    {
        *("script", "style", "noscript", "template", "head", "title", "button", "select", "iframe", "object", "svg"),
        *("canvas", "audio", "video", "dialog", "input"),
    }
)
"""Elements whose text does not belong to the page's text."""
UNREAD: Final[dict[str, LeftOut]] = {
    **dict.fromkeys(("button", "select"), "FURNITURE"),
    **dict.fromkeys(("noscript", "dialog"), "HIDDEN"),
    **dict.fromkeys(("iframe", "object", "svg", "canvas", "audio", "video"), "OBJECT"),
}
"""Elements that may have words which are left out, and why."""
DEEPEST: Final = 100
"""Levels of elements; what is nested deeper is text without blocks (taste)."""
_DROPPED: Final = "dropped"
"""The name of elements that are about to be removed."""
_UNSEEN: Final = ("display:none", "visibility:hidden")


def pruned(element: _Element) -> Iterator[tuple[LeftOut, str]]:
    """Remove what is not read with all that is in it; yield the words of it that somebody may miss."""
    walk = iterwalk(element, events=("start",))
    unread = []
    for _, inner in walk:
        if inner is not element and isinstance(inner.tag, str) and (inner.tag in SKIPPED or _is_hidden(inner)):
            unread.append(inner)
            walk.skip_subtree()
    for inner in unread:
        reason: LeftOut | None = "HIDDEN" if _is_hidden(inner) else UNREAD.get(str(inner.tag))
        if reason and (words := line_of(inner)):
            yield reason, words
        inner.tag = _DROPPED
    strip_elements(element, _DROPPED, with_tail=False)


def flatten(element: _Element) -> None:
    """Turn what is nested too deep into text."""
    level = [element]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in parent]
    for deep in level:
        text = " ".join(map(str, deep.itertext()))
        del deep[:]
        if isinstance(deep.tag, str):
            deep.text = text


def _is_hidden(element: _Element) -> bool:
    style = (element.get("style") or "").replace(" ", "").lower()
    is_unseen = any(mark in style for mark in _UNSEEN)
    return element.get("hidden") is not None or element.get("aria-hidden") == "true" or is_unseen
