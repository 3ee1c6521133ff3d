"""Folds case and accents to compare texts across languages."""

import unicodedata


def fold(text: str) -> str:
    """Lower case, without accents: `Júpiter` and `JUPITER` are both `jupiter`."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))
