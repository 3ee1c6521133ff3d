"""Characters that nobody sees, and characters that are others in another form: one form for what is compared. Pure."""

import unicodedata
from typing import Final

import regex

_IGNORABLE: Final = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
_SELECTORS: Final = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN: Final = regex.compile(
    rf"(?V1)[\p{{Default_Ignorable_Code_Point}}--[\u200c\u200d{_SELECTORS}]]+|(?<=[{_SELECTORS}])[{_SELECTORS}]"
    r"|(?<![^\p{Latin}\p{Greek}\p{Cyrillic}\p{N}\p{P}\p{Z}\s])[\u200c\u200d]"
)
"""Joiners shape Arabic and Indic letters, and a selector the sign before it; elsewhere nobody sees these either."""
_NASAL: Final = regex.compile(r"[ङञणनम]\u094d(?=[क-ह])|\u0901")
"""What Hindi also writes as the dot for a nasal sound: हिन्दी, हिंदी."""
_DOT: Final = "\u0902"
_VARIANTS: Final = str.maketrans("یىےکہەھة", "يييكهههه", "ـ")
"""Persian and Urdu letters, as Arabic has them, without the stroke that lengthens a word."""


def without_ignorable(text: str) -> str:
    """The text without characters that change at most the shape of others: soft hyphens, joiners, marks, tags."""
    return text if text.isascii() else str(_IGNORABLE.sub("", text, concurrent=False))


def without_unseen(text: str) -> str:
    """The text as it looks: without the characters of `without_ignorable` that nobody sees where they stand."""
    return str(_UNSEEN.sub("", text, concurrent=False)) if _IGNORABLE.search(text, concurrent=False) else text


def plain_form(token: str) -> str:
    """A token in one of several spellings: letters in their usual form (NFKC), digits from 0 to 9."""
    if token.isascii():
        return token
    usual = (unicodedata.normalize("NFKC", each) if each.isalpha() else each for each in token)
    text = "".join(str(unicodedata.decimal(each, each)) for form in usual for each in form)
    return unicodedata.normalize("NFC", str(_NASAL.sub(_DOT, text)).translate(_VARIANTS))
