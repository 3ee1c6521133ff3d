"""The styles of an OpenDocument file: what hides text, numbers lists and names paragraphs. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ingest.formats.office.packages import short, tag, value, whole
from ingest.formats.office.word_styles import ReadParagraph, kind_of_names

if TYPE_CHECKING:
    from lxml.etree import _Element

_SPACE: Final = "_20_"
"""How names write a space."""
_HIDING: Final = (
    ("style:text-properties", "text:display", "none"),
    ("style:table-properties", "table:display", "false"),
    ("style:drawing-page-properties", "presentation:visibility", "hidden"),
)


@dataclass(frozen=True, slots=True)
class Styles:
    """The styles by their names."""

    by_name: dict[str, "_Element"] = field(default_factory=dict)
    numbered: frozenset[tuple[str, int]] = frozenset()
    """Names of list styles with the levels, from 1, that have numbers."""

    @classmethod
    def of(cls, *roots: "_Element | None") -> "Styles":
        """The styles that parts state."""
        elements = [element for root in roots if root is not None for element in root.iter(tag("style:style"))]
        levels = (
            level for root in roots if root is not None for level in root.iter(tag("text:list-level-style-number"))
        )
        numbered = (
            (level.getparent().get(tag("style:name"), ""), whole(level.get(tag("text:level")), 1))
            for level in levels
            if level.get(tag("style:num-format"))
        )
        return cls({element.get(tag("style:name"), ""): element for element in elements}, frozenset(numbered))

    def is_hidden(self, element: "_Element") -> bool:
        """Whether an element is hidden by itself or by its style."""
        if element.get(tag("table:visibility")) in ("collapse", "filter"):
            return True
        return any(
            value(style, path, name) == hidden for style in self._chain(element) for path, name, hidden in _HIDING
        )

    def kind_of(self, paragraph: "_Element") -> ReadParagraph:
        """The kind of a paragraph, by the names of its style and of those that it is based on."""
        names = [style.get(tag("style:name"), "").replace(_SPACE, " ") for style in self._chain(paragraph)]
        names = names or [paragraph.get(tag("text:style-name"), "").replace(_SPACE, " ")]
        return kind_of_names(names)

    def _chain(self, element: "_Element") -> Iterator["_Element"]:
        prefix = short(element.tag).partition(":")[0]
        name = element.get(tag(f"{prefix}:style-name"), "")
        for _ in range(8):  # base styles may form a ring (taste)
            style = self.by_name.get(name)
            if style is None:
                return
            yield style
            name = style.get(tag("style:parent-style-name"), "")
