"""Code, rows of tables and quotations in a model's text, which must be in the passages as they stand.

Of code, all lines except comments and ellipses. A sentence that introduces a quotation (`The handbook says: “…”`)
claims what the quotation says; the introduction may be in another language, so it can't be compared. Pure functions.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Reference
from libs.contracts.spans import Span
from services.answer.citations import withdrawn
from services.answer.verification.claims import read_claims

_REPORTED: Final = re.compile(
    r"(?P<frame>[^:：\"“”„«»「」『』]{1,120})[:：]\s*"
    r"(?:\"(?P<plain>[^\"]+)\"|“(?P<curly>[^”]+)”|„(?P<low>[^“”]+)[“”]|«(?P<angle>[^»]+)»|「(?P<corner>[^」]+)」)"
    r"[\s.,;!?。！？]*"
)
"""An introduction of at most 120 characters (taste), a colon, and a quotation in any marks."""
_LEAST: Final = 12
"""Characters of a quotation; a shorter one is just a mentioned word (taste)."""


def reported_quote(sentence: str, language: str) -> str | None:
    """Return the quotation after a colon; None if there is none, or if the introduction makes claims too."""
    match = _REPORTED.fullmatch(sentence.strip())
    if match is None:
        return None
    frame = read_claims(match["frame"], language)
    quotation = next(filter(None, match.groups()[1:])).strip()
    claims = frame.denials or frame.dates or frame.all_numbers
    return None if claims or len(quotation) < _LEAST else quotation


_UNCLAIMED: Final = re.compile(r"\W*|(?:#|//|--|;|%)\s.*|<!--.*|/\*.*")
"""Lines without content: brackets, dots, comments. A comment has a space, so `#define` and `--port` are code."""
_MARKUP: Final = re.compile(r"[*_`]+")
_WORD: Final = re.compile(r"\w")


def check_code(number: int, lines: Sequence[str], references: Iterable[Reference]) -> Citation:
    """Return the verdict on code, with the first passage that has all of its lines.

    Args:
        number: its position among the answer's sentences.
        lines: without their fences.
        references: the references given to the writer.
    """
    code_lines = [_squeeze(line) for line in lines if not _UNCLAIMED.fullmatch(line.strip())]
    if not code_lines:
        return withdrawn(number, "It holds no code.")
    for reference in references:
        passage = reference.evidence.passage
        text = _squeeze(passage.text)
        if all(_stands_in(line, text) for line in code_lines):
            span = _span(passage.text, [line.strip() for line in lines if line.strip()])
            cited_span = CitedSpan(reference.number, passage.passage_id, span, span.of(passage.text))
            return Citation(number, (cited_span,), Verdict.VERIFIED, 1.0, "Its lines stand in the passage.")
    return withdrawn(number, "No passage has all of its lines.")


def check_row(number: int, row: str, references: Iterable[Reference]) -> Citation:
    """Return the verdict on a row of a table: verified if one passage has all of its cells, weak if several have.

    Args:
        number: its position among the answer's sentences.
        row: its cells, with bars before and between them.
        references: the references given to the writer, the likeliest first.
    """
    cells = [_squeeze(_MARKUP.sub("", cell)).casefold() for cell in row.split("|") if _WORD.search(cell)]
    found: dict[str, CitedSpan] = {}
    for reference in references:
        passage = reference.evidence.passage
        text = _squeeze(" ".join((passage.title, *passage.headings, passage.text))).casefold()
        standing = {cell for cell in cells if _stands_in(cell, text)}
        span = Span(0, len(passage.text))
        cited_span = CitedSpan(reference.number, passage.passage_id, span, span.of(passage.text))
        if standing.issuperset(cells) and cells:
            return Citation(number, (cited_span,), Verdict.VERIFIED, 1.0, "Its cells stand in the passage.")
        found = {**{cell: cited_span for cell in standing}, **found}
    if not cells or not found.keys() >= set(cells):
        return withdrawn(number, "No passage has all of its cells.")
    return Citation(number, tuple(dict.fromkeys(found.values())), Verdict.WEAK, 0.5, "Several passages have its cells.")


def _span(text: str, lines: Sequence[str]) -> Span:
    """The span from the first line to the last if they are in this order; otherwise the whole text."""
    start, last = text.find(lines[0]), text.rfind(lines[-1])
    return Span(start, last + len(lines[-1])) if 0 <= start <= last else Span(0, len(text))


def _stands_in(line: str, text: str) -> bool:
    """Whether a text contains a line, and not just as part of a longer word or number."""
    return re.search(rf"(?<!\w){re.escape(line)}(?!\w)", text) is not None


def _squeeze(text: str) -> str:
    return " ".join(text.split())
