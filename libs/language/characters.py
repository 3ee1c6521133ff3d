"""Characters that nobody sees, and characters that are others in another form: one form for what is compared. Pure."""

import unicodedata
from typing import Any, Final

import regex

_IGNORABLE: Final = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
_FORMAT: Final = r"[\p{Cf}--\p{Prepended_Concatenation_Mark}]"
_HIDDEN: Final = (
    rf"[[\p{{Default_Ignorable_Code_Point}}\p{{Noncharacter_Code_Point}}\p{{Cc}}{_FORMAT}]--[\t\n\v\f\r\x85]]"
)
_SHAPING: Final = "|".join(
    (
        r"(?<=[[\p{L}\p{M}]--[\p{Latin}\p{Greek}\p{Cyrillic}\p{Default_Ignorable_Code_Point}]])[\u200c\u200d]",
        r"(?<=[\p{Emoji}--\p{ASCII}]\ufe0f?)\u200d",
        r"(?<=[\p{Emoji}--\p{ASCII}])[\ufe0e\ufe0f]",
        r"(?<=[0-9#*])\ufe0f(?=\u20e3)",
        r"(?<=[[\p{S}\p{Han}\p{Myanmar}]--\p{ASCII}])[\ufe00-\ufe02]",
        r"(?<=\p{Han})[\U000e0100-\U000e01ef]",
        r"(?<=[\p{Mongolian}&&\p{L}])[\u180b-\u180d\u180f]",
    )
)
"""One joiner shapes an Arabic or Indic letter or an emoji, one selector the sign before it that has variants."""
_ANY_HIDDEN: Final = regex.compile(f"(?V1){_HIDDEN}")
_UNSEEN: Final = regex.compile(f"(?V1)(?!{_SHAPING}){_HIDDEN}")
_NASAL: Final = regex.compile(r"[ङञणनम]\u094d(?=[क-ह])|\u0901")
"""What Hindi also writes as the dot for a nasal sound: हिन्दी, हिंदी."""
_DOT: Final = "\u0902"
_VARIANTS: Final = str.maketrans("یىےکہەھة", "يييكهههه", "ـ")
"""Persian and Urdu letters, as Arabic has them, without the stroke that lengthens a word."""


def without_ignorable(text: str) -> str:
    """The text without characters that change at most the shape of others: soft hyphens, joiners, marks, tags."""
    return text if text.isascii() else str(_IGNORABLE.sub("", text, concurrent=False))


def without_unseen(text: str) -> str:
    """The text as it looks: without control characters and what else nobody sees where it stands; spaces stay."""
    return str(_UNSEEN.sub("", text, concurrent=False)) if _ANY_HIDDEN.search(text, concurrent=False) else text


def seen(value: Any) -> Any:
    """A JSON value whose texts are as they look, but for the names of its fields."""
    if isinstance(value, str):
        return without_unseen(value)
    if isinstance(value, list):
        return [seen(each) for each in value]
    return {name: seen(each) for name, each in value.items()} if isinstance(value, dict) else value


def plain_form(token: str) -> str:
    """A token in one of several spellings: letters in their usual form (NFKC), digits from 0 to 9."""
    if token.isascii():
        return token
    usual = (unicodedata.normalize("NFKC", each) if each.isalpha() else each for each in token)
    text = "".join(str(unicodedata.decimal(each, each)) for form in usual for each in form)
    return unicodedata.normalize("NFC", str(_NASAL.sub(_DOT, text)).translate(_VARIANTS))
