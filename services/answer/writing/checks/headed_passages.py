"""Passages below their headings, for checks: `2.45.0 / 2023-06-23` above a list of changes dates them. Pure functions.

The heading is no part of a passage's text, so what cites it cites the passage's first line.
"""

from dataclasses import replace

from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.contracts.spans import Span
from services.answer.citing.locations import heading_of, with_headings_in_title


def below_heading(passage: Passage) -> Passage:
    """Return the passage with its headings in its title and as the first line of its text."""
    return replace(with_headings_in_title(passage), text=_heading_line(passage) + passage.text)


def within(passage: Passage, cited_span: CitedSpan) -> CitedSpan:
    """Return a span of a passage below its heading as one of the passage itself."""
    above = len(_heading_line(passage))
    start, end = max(0, cited_span.span.start - above), cited_span.span.end - above
    span = Span(start, end if end > 0 else len(passage.text.partition("\n")[0]))
    return replace(cited_span, span=span, quote=span.of(passage.text))


def _heading_line(passage: Passage) -> str:
    """The heading with a stop, so that it is read as a sentence."""
    heading = heading_of(passage)
    return f"{heading}.\n" if heading else ""
