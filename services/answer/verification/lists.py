"""Compares lists: `gold, thorium and potassium` isn't supported by `uranium, thorium and potassium`."""

import re

from services.answer.lexicon.related_words import is_covered
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_ITEM = r"[\w'’-]+"
_LIST = re.compile(rf"(?P<first>{_ITEM}), (?P<middle>(?:{_ITEM}, )*){_ITEM}(?:,? (?:and|or) )(?P<last>{_ITEM})")
_LEAST_KNOWN = 2


def unlisted_item(claims: Claims, evidence: Claims) -> str | None:
    """Return the only item of a claim's list that is missing in the source, which has the others; None otherwise."""
    for match in _LIST.finditer(claims.text):
        items = [item for item in re.split(r", | and | or |,", match[0]) if stems_of(item)]
        unknown = [item for item in items if not any(is_covered(stem, evidence.stems) for stem in stems_of(item))]
        if len(unknown) == 1 and len(items) - 1 >= _LEAST_KNOWN and _is_list(items, unknown[0], evidence):
            return unknown[0]
    return None


def _is_list(items: list[str], unknown: str, evidence: Claims) -> bool:
    """Whether the source also has the other items in a list that is at least as long."""
    others = {stems_of(item)[-1] for item in items if item != unknown}
    return any(
        others <= set(stems_of(match[0])) and len(re.split(r", | and | or ", match[0])) >= len(items)
        for match in _LIST.finditer(evidence.text)
    )
