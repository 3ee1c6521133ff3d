"""What converting a text with markup to HTML gives, so that one reader of HTML gives all of them their structure."""

from dataclasses import dataclass, field
from typing import Literal

LeftOut = Literal["HIDDEN", "FURNITURE", "PICTURE", "OBJECT"]
"""Why words are left out: nobody sees them, they run over all pages, are a picture, or stand for what is not read."""


@dataclass(frozen=True, slots=True)
class ConvertedText:
    """A text as HTML."""

    html: str
    date: str = ""
    """As the text states it, in any form."""
    metadata: dict[str, str] = field(default_factory=dict)
    left_out: tuple[tuple[LeftOut, str], ...] = ()
    """Words that are not in the HTML."""
