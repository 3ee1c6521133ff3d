"""Code, rows of tables and quotations in a model's text, which must be in the passages as they stand.

A sentence that introduces a quotation (`The handbook says: “…”`) claims what the quotation says; the introduction may
be in another language, so it can't be compared. Pure functions.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from services.answer.citing.citations import withdrawn
from services.answer.verification.claims import read_claims
from services.answer.writing.pieces import Kind, SentenceEnds

_REPORTED: Final = re.compile(
    r"(?P<frame>[^:：\"“”„«»「」『』]{1,120})[:：]\s*"
    r"(?:\"(?P<plain>[^\"]+)\"|“(?P<curly>[^”]+)”|„(?P<low>[^“”]+)[“”]|«(?P<angle>[^»]+)»|「(?P<corner>[^」]+)」)"
    r"[\s.,;!?。！？]*"
)
"""An introduction of at most 120 characters (taste), a colon, and a quotation in any marks."""
_LEAST: Final = 12
"""Characters of a quotation; a shorter one is just a mentioned word (taste)."""
_UNCLAIMED: Final = re.compile(r"\W*|(?:#|//|--|;|%)\s.*|<!--.*|/\*.*")
"""Lines without content: brackets, dots, comments. A comment has a space, so `#define` and `--port` are code."""
_MARKUP: Final = re.compile(r"[*_`]+")
_WORD: Final = re.compile(r"\w")


def reported_quote(sentence: str, language: str) -> str | None:
    """Return the quotation after a colon; None if there is none, or if the introduction makes claims too."""
    match = _REPORTED.fullmatch(sentence.strip())
    if match is None:
        return None
    frame = read_claims(match["frame"], language)
    quotation = next(filter(None, match.groups()[1:])).strip()
    claims = frame.denials or frame.dates or frame.all_numbers
    return None if claims or len(quotation) < _LEAST else quotation


def check_verbatim(number: int, sentence: SentenceEnds, references: Iterable[Reference]) -> Citation:
    """Return the verdict on code or a row: verified if one passage has all of its parts, weak if several have.

    The parts of code are its lines, but for comments and ellipses; those of a row are its cells, in any case.

    Args:
        number: its position among the answer's sentences.
        sentence: the code or row.
        references: the references given to the writer, the likeliest first.
    """
    is_code = sentence.kind is Kind.CODE
    parts = _lines_of(sentence.text) if is_code else _cells_of(sentence.text)
    found: dict[str, CitedSpan] = {}
    for reference in references:
        passage = reference.evidence.passage
        text = _squeeze(" ".join((passage.title, *passage.headings, passage.text)))
        standing = {part for part in parts if _stands_in(part, text, re.NOFLAG if is_code else re.IGNORECASE)}
        span = _span(passage, parts)
        cited_span = CitedSpan(reference.number, passage.passage_id, span, span.of(passage.text))
        if parts and standing.issuperset(parts):
            return Citation(number, (cited_span,), Verdict.VERIFIED, 1.0, "Its parts stand in the passage.")
        found = {**dict.fromkeys(standing, cited_span), **found}
    if not parts or not found.keys() >= set(parts):
        return withdrawn(number, "No passage has all of its parts.")
    return Citation(number, tuple(dict.fromkeys(found.values())), Verdict.WEAK, 0.5, "Several passages have its parts.")


def _lines_of(code: str) -> Sequence[str]:
    return [line.strip() for line in code.split("\n")[1:-1] if not _UNCLAIMED.fullmatch(line.strip())]


def _cells_of(row: str) -> Sequence[str]:
    return [_MARKUP.sub("", cell).strip() for cell in row.split("|") if _WORD.search(cell)]


def _span(passage: Passage, parts: Sequence[str]) -> Span:
    """The span from the first part to the last if they are in this order; otherwise the whole text."""
    text = passage.text
    start, last = (text.find(parts[0]), text.rfind(parts[-1])) if parts else (-1, -1)
    return Span(start, last + len(parts[-1])) if 0 <= start <= last else Span(0, len(text))


def _stands_in(part: str, text: str, flags: re.RegexFlag) -> bool:
    """Whether a text contains a part, and not just within a longer word or number."""
    return re.search(rf"(?<!\w){re.escape(_squeeze(part))}(?!\w)", text, flags) is not None


def _squeeze(text: str) -> str:
    return " ".join(text.split())
