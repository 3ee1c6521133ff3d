"""Passages as numbered data of a prompt, and the position of quoted words in them."""

import re
from collections.abc import Sequence
from typing import Final

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from libs.llm.evidence import DataBlock, DataItem

LONGEST_QUOTE: Final = 500
"""Characters of a quote that are located; a longer one is cut."""


def evidence_block(passages: Sequence[Passage]) -> DataBlock:
    """Return sanitized passages as items numbered from 1."""
    return DataBlock(
        [DataItem(number, passage.text, passage.title) for number, passage in enumerate(passages, start=1)]
    )


def locate_quote(passages: Sequence[Passage], number: int, quote: str) -> CitedSpan | None:
    """Return where the words of a quote are in passage `number`, from 1, or None if they are not there.

    White space and letter case may differ.
    """
    words = quote[:LONGEST_QUOTE].split()
    if not words or not 1 <= number <= len(passages):
        return None
    passage = passages[number - 1]
    match = re.search(r"\s+".join(map(re.escape, words)), passage.text, re.IGNORECASE)
    if match is None:
        return None
    return CitedSpan(0, passage.passage_id, Span(*match.span()), match[0])
