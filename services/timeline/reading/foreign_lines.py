"""Lines that are not a document's own prose and so tell no events: quoted lines, headers of mails, listings. Pure.

A quoted line repeats another text, whose relative dates count from another day. Names of headers are those of RFC 5322,
whatever the language. Lengths and shares are by hand.
"""

import re
from typing import Final

_QUOTED: Final = re.compile(r"(?m)^[ \t]{0,8}>")
_HEADER: Final = re.compile(r"(?i)\W{0,4}(?:from|to|cc|bcc|reply-to|subject|date|sent|received|message-id):\s")
_ADDRESS: Final = re.compile(r"<[^<>\s@]{1,100}@[^<>\s@]{1,100}>")
"""An address as headers and `On Monday … wrote:` give it."""
_PROSE: Final = re.compile(r"[\"'“‘(\[*_-]{0,3}\s?[A-ZÀ-ÞА-Я].*[.!?…][\"'”’)\]*_]{0,3}", re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*[,;:.!?]?")
_PRINTED: Final = re.compile(r"[~.]{0,2}/\S+|(?=\S{0,40}\d)[0-9a-f]{6,40}")
"""What a program prints beside a date: a path or a hash."""
_PERMISSIONS: Final = re.compile(r"\W{0,4}[d-](?:[r-][w-][x-]){3}\s")


def is_foreign(text: str) -> bool:
    """Whether a sentence is quoted, a mail's header, or what a program prints."""
    return bool(_QUOTED.search(text) or _HEADER.match(text) or _ADDRESS.search(text)) or _is_listing(text)


def _is_listing(text: str) -> bool:
    """Whether a text lists files or is no sentence and holds a path or hash for every two words."""
    if _PERMISSIONS.match(text):
        return True
    if _PROSE.fullmatch(text.strip()):
        return False
    tokens = text.split()
    printed = sum(_PRINTED.fullmatch(token) is not None for token in tokens)
    return printed > 0 and 2 * printed >= sum(_WORD.fullmatch(token) is not None for token in tokens)
