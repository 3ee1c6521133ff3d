"""CommonMark in plain words: what is searched and embedded, where a link's address and emphasis say nothing."""

import re
from typing import Final

_IMAGE: Final = re.compile(r"!\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)")
_LINK: Final = re.compile(
    r"(?<![A-Za-z0-9_\])])\[([^\[\]]*)\]\(<?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*>?(?:\s+\"[^\"\n]*\")?\)"
)
"""Not within code: `handlers[name](event)`."""
_FENCE: Final = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n]*$", re.MULTILINE)
_MARKS: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+|^[ \t]*#{1,6}[ \t]+", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t]*\|?[ \t]*:?-{3,}[-|: \t]*$", re.MULTILINE)
_BAR: Final = re.compile(r"(?<!\\)\|")
_STRONG: Final = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`+|(?<![\w*\\])\*(?=\S)|(?<=[^\s\\])\*(?![\w*])")
_ESCAPE: Final = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>~])")
_MARKED: Final = re.compile(r"[\[*_`|#>\\~]|---")
"""Without any of these there is no mark."""
_SPACE: Final = re.compile(r"[ \t]+")


def plain_words(text: str) -> str:
    """The words of CommonMark: no marks, no addresses of links; line ends stay."""
    if not _MARKED.search(text):  # as most sentences: a tenth of the time
        return _SPACE.sub(" ", text).strip()
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _RULE.sub("", _MARKS.sub("", _FENCE.sub("", text)))
    text = _STRONG.sub("", _BAR.sub(" ", text))
    return _SPACE.sub(" ", _ESCAPE.sub(r"\1", text)).strip()
