"""The styles of an OpenDocument file: what hides text, numbers lists and names paragraphs. Pure."""

from typing import Final

from ingest.formats.office.packages import Element, tag, value, whole
from ingest.formats.office.word_styles import Chains, ReadParagraph, Style, kind_of_names

_SPACE: Final = "_20_"
"""How names write a space."""
_HIDING: Final = (
    ("style:text-properties", "text:display", "none"),
    ("style:table-properties", "table:display", "false"),
    ("style:drawing-page-properties", "presentation:visibility", "hidden"),
)


class Styles(Chains):
    """The styles of a file, as parts state them."""

    def __init__(self, *roots: Element | None) -> None:
        self.numbered = set[tuple[str, int]]()
        """Names of list styles with the levels, from 1, that have numbers."""
        for root in (root for root in roots if root is not None):
            for style in root.iter(tag("style:style")):
                name, base = style.get(tag("style:name"), ""), style.get(tag("style:parent-style-name"), "")
                self[name] = Style(name.replace(_SPACE, " "), base, style)
            for level in root.iter(tag("text:list-level-style-number")):
                if level.get(tag("style:num-format")):
                    name = level.getparent().get(tag("style:name"), "")
                    self.numbered.add((name, whole(level.get(tag("text:level")), 1)))

    def is_hidden(self, element: Element) -> bool:
        """Whether an element is hidden by itself or by its style."""
        styles = self.chain(_style_of(element))
        around, within = element.iterancestors(tag("text:section")), element.iterchildren(tag("text:hidden-paragraph"))
        marks = (element, *around, *within)
        if any(mark.get(tag("text:is-hidden")) == "true" or mark.get(tag("text:display")) == "none" for mark in marks):
            return True
        return element.get(tag("table:visibility")) in ("collapse", "filter") or any(
            value(style.element, path, name) == hidden for style in styles for path, name, hidden in _HIDING
        )

    def kind_of(self, paragraph: Element) -> ReadParagraph:
        """The kind of a paragraph, by the names of its style and of those that it is based on."""
        name = _style_of(paragraph)
        return kind_of_names([style.name for style in self.chain(name)] or [name.replace(_SPACE, " ")])


def _style_of(element: Element) -> str:
    vocabulary = str(element.tag).partition("}")[0]
    return str(element.get(f"{vocabulary}}}style-name", ""))
