"""Infers the structure of a text: as CommonMark if it has such markup, else as plain text.

Numbers that name no source are chosen by hand.
"""

import re
from typing import Final

from libs.contracts.structure import Structure
from libs.documents.markdown import parse_markdown
from libs.documents.plain import parse_plain

_MARKS: Final = re.compile(
    r"^[ ]{0,3}(?:#{1,6}[ \t]+\S|(?:`{3,}|~{3,})|\|.*\|[ \t]*$|!\[[^\]]*\]\()|(?:\[[^\[\]\n]+|\[\[)\]\(https?://|\*\*[^\s*][^*\n]*\*\*",
    re.MULTILINE,
)
_INDENTED: Final = re.compile(r"^[ ]{2,}\S", re.MULTILINE)


def structure_of(text: str) -> Structure:
    """The structure of a text, inferred from its layout and markup."""
    return parse_markdown(text) if _is_markdown(text) else parse_plain(text)


def _is_markdown(text: str) -> bool:
    """Whether a text has Markdown markup; mostly indented text counts as plain, or it would parse as code."""
    if not _MARKS.search(text):
        return False
    lines = text.count("\n") + 1
    return len(_INDENTED.findall(text)) <= 0.5 * lines
