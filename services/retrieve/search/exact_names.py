"""Names with a number, exactly as asked for: a passage on the `AX-200 Pro` is not on the `AX-200`. Pure functions."""

from collections.abc import Sequence
from functools import lru_cache

import regex

from libs.contracts.evidence import Passage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.names import find_names


def exact_first(passages: Sequence[Passage | None], question: str) -> list[int]:
    """The positions of ranked passages, those with only a longer name than asked for behind those with the exact one.

    All others stay where they are.
    """
    names = find_names(question, reading_language(question, usual=ENGLISH))
    order = list(range(len(passages)))
    for name in (name.text for name in names if any(map(str.isdigit, name.text))):
        exactness = [_has_exact(name, passages[at]) for at in order]
        places = [place for place, has_exact in enumerate(exactness) if has_exact is not None]
        sorted_places = sorted(places, key=lambda place: not exactness[place])
        order = [order[dict(zip(places, sorted_places, strict=True)).get(at, at)] for at in range(len(order))]
    return order


def _has_exact(name: str, passage: Passage | None) -> bool | None:
    """Whether a passage has a name by itself, not only within a longer one; None if it has neither."""
    if passage is None:
        return None
    text = "\n".join((passage.title, *passage.headings, passage.text))
    found = [match["more"] is None for match in _written(name).finditer(text)]
    return any(found) if found else None


@lru_cache(maxsize=256)  # taste
def _written(name: str) -> "regex.Pattern[str]":
    """A name, its parts joined in any way, and what makes it longer as `more`."""
    parts = r"[\s_-]?".join(map(regex.escape, regex.findall(r"\p{L}+|\p{N}+(?:\.\p{N}+)*", name)))
    return regex.compile(rf"(?i:(?<!\w){parts})(?P<more>[-.]?\w|[ ](?=\p{{Lu}}))?")
