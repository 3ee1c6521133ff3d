"""Passages below their headings, for checks: `2.45.0 / 2023-06-23` above a list of changes dates them. Pure functions.

The heading is no part of a passage's text, so what cites it cites the line below it.
"""

from collections.abc import Mapping
from dataclasses import replace

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from services.answer.locations import heading_of, with_headings_in_title

_END = ".\n"
"""Ends the heading, so that it is read as a sentence."""


def below_heading(passage: Passage) -> Passage:
    """Return the passage with its headings in its title and as the first line of its text."""
    return replace(with_headings_in_title(passage), text=_heading_line(passage) + passage.text)


def within(passages: Mapping[str, Passage], cited_span: CitedSpan) -> CitedSpan:
    """Return a span of a passage below its heading as one of the passage itself.

    Args:
        passages: the passages themselves, by id.
        cited_span: where it is below the heading.
    """
    passage = passages[cited_span.passage_id]
    above = len(_heading_line(passage))
    start, end = max(0, cited_span.span.start - above), cited_span.span.end - above
    if end <= 0:
        lead = len(passage.text) - len(passage.text.lstrip())
        start, end = lead, lead + len(passage.text.lstrip().partition("\n")[0])
    span = Span(start, end)
    return replace(cited_span, span=span, quote=span.of(passage.text))


def _heading_line(passage: Passage) -> str:
    heading = heading_of(passage)
    return f"{heading}{_END}" if heading else ""
