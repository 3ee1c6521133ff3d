"""Answers, citations and timelines as HTML for notebooks. Everything that comes from the suite is escaped."""

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from parley.client.values import Citation, CitedSpan, Passage, Reference, Timeline, Verdict

if TYPE_CHECKING:
    from parley.client.answers import Answer

_MARKER: Final = re.compile(r"\[(\d{1,4})\]")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
_MARKS: Final = {Verdict.VERIFIED: "&#10003;", Verdict.WEAK: "~", Verdict.WITHDRAWN: "&#10007;"}
_MOST_TITLE: Final = 400
"""Characters of a passage that are shown where the pointer rests on its number."""


def answer_html(answer: "Answer") -> str:
    """An answer with its references, timeline, follow-ups, and what was degraded."""
    passages = {reference.number: reference.passage for reference in answer.references}
    parts = [_paragraphs(answer.text, passages), _outcome(answer), _references(answer)]
    if answer.timeline is not None:
        parts.append(timeline_html(answer.timeline))
    parts.append(_list("You may also ask", answer.recommendations))
    parts.append(_list("Not complete", [each.effect for each in answer.degraded]))
    return f'<div class="parley-answer">{"".join(parts)}</div>'


def citation_html(citation: Citation) -> str:
    """A checked sentence with the words that it cites."""
    quotes = "".join(f"<li>{_quote(span)}</li>" for span in citation.spans)
    mark = f'<abbr title="{escape(citation.reason)}">{_MARKS.get(citation.verdict, "")} {citation.verdict}</abbr>'
    return f"<div><p>{escape(citation.text)} {mark}</p><ul>{quotes}</ul></div>"


def timeline_html(timeline: Timeline) -> str:
    """A table of dates and events."""
    rows = "".join(
        f"<tr><th>{escape(str(event.start))}{f' – {escape(str(event.end))}' if event.end else ''}</th>"
        f"<td>{escape(event.text)}</td><td>{'<br>'.join(map(_quote, event.quotes))}</td></tr>"
        for event in timeline.events
    )
    conflicts = _list("Dates that disagree", timeline.conflicts)
    return f"<table><tr><th>Date</th><th>Event</th><th>Source</th></tr>{rows}</table>{conflicts}"


def _paragraphs(text: str, passages: dict[int, Passage]) -> str:
    paragraphs = [escape(paragraph, quote=False) for paragraph in _BLANK_LINE.split(text) if paragraph.strip()]
    linked = (_MARKER.sub(lambda match: _number(int(match[1]), passages), paragraph) for paragraph in paragraphs)
    return "".join(f"<p>{paragraph.replace(chr(10), '<br>')}</p>" for paragraph in linked)


def _number(number: int, passages: dict[int, Passage]) -> str:
    if number not in passages:
        return f"[{number}]"
    return f'<sup><abbr title="{escape(passages[number].text[:_MOST_TITLE])}">[{number}]</abbr></sup>'


def _outcome(answer: "Answer") -> str:
    return "" if answer.outcome == "answered" else f"<p><em>{escape(answer.outcome)}</em></p>"


def _references(answer: "Answer") -> str:
    cited = {span.number for citation in answer.citations for span in citation.spans}
    numbers: dict[int, Reference] = {}
    for reference in answer.references:
        if reference.number in cited:
            numbers.setdefault(reference.number, reference)
    items = "".join(f'<li value="{number}">{_source(each.passage)}</li>' for number, each in sorted(numbers.items()))
    return f"<ol>{items}</ol>" if items else ""


def _source(passage: Passage) -> str:
    name = escape(passage.title or passage.document_id)
    is_web = urlsplit(passage.url).scheme in ("http", "https")
    link = f'<a href="{escape(passage.url)}" rel="noopener noreferrer">{name}</a>' if is_web else name
    return f"{link}{f', {escape(passage.date)}' if passage.date else ''}"


def _quote(span: CitedSpan) -> str:
    source = f" ({_source(span.passage)})" if span.passage else ""
    return f"<q>{escape(span.quote)}</q>{source}"


def _list(title: str, items: Iterable[str]) -> str:
    entries = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<p><strong>{title}</strong></p><ul>{entries}</ul>" if entries else ""
