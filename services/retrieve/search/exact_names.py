"""Names with a number, exactly as asked for: a passage on the `AX-200 Pro` is not on the `AX-200`. Pure functions."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import regex

from libs.contracts.evidence import Passage
from libs.language.detection import reading_language
from libs.language.known import ENGLISH
from libs.text.tokens import Token, is_stop_word, tokenize


def exact_first(passages: Sequence[Passage | None], question: str) -> list[int]:
    """The positions of ranked passages, those with a longer or shorter name than asked for behind those with the name.

    All others stay where they are.
    """
    order = list(range(len(passages)))
    for name, following in _names(question):
        written = [_continuations(name, passage) for passage in passages]
        asked = following if any(following in words for words in written) else ""
        places = [place for place, at in enumerate(order) if written[at]]
        exact = sorted(places, key=lambda place: asked not in written[order[place]])
        moved = dict(zip(places, exact, strict=True))
        order = [order[moved.get(place, place)] for place in range(len(order))]
    return order


def _names(question: str) -> Iterator[tuple[str, str]]:
    """Yield each name with a number, and the word after it: that may be a part of it."""
    language = reading_language(question, usual=ENGLISH)
    nothing = Token("", 0, 0)
    tokens = [nothing, *tokenize(question), nothing]
    for before, (token, after) in zip(tokens, pairwise(tokens[1:]), strict=False):
        if token.is_number and before.text and not is_stop_word(before.text, language):
            yield f"{before.text} {token.text}", after.text.lower()
        elif not token.is_number and any(map(str.isdigit, token.text)):
            yield token.text, after.text.lower()


def _continuations(name: str, passage: Passage | None) -> set[str]:
    """The words that continue a name in a passage, in lower case: empty for the name by itself; none if it lacks it."""
    text = "\n".join((passage.title, *passage.headings, passage.text)) if passage else ""
    return {(match["more"] or "").lower() for match in _written(name).finditer(text)}


@lru_cache(maxsize=256)  # taste
def _written(name: str) -> "regex.Pattern[str]":
    """A name, its parts joined in any way, and the word that makes it longer as `more`."""
    parts = r"[\s_-]?".join(map(regex.escape, regex.findall(r"\p{L}+|\p{N}+(?:\.\p{N}+)*", name)))
    return regex.compile(rf"(?i:(?<!\w){parts})(?!\w|[-.]\w)(?: (?P<more>\p{{Lu}}\w*))?")
