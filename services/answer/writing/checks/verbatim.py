"""What must be in the passages as it stands: code, rows of tables, and what replaces a sentence they do not bear out.

What a model tells in words that the check does not accept, or with a wrong number, mostly stands in a sentence that has
most of its other words: that one is shown instead. Pure functions.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from libs.contracts.answers import Citation, CitedSpan, Verdict
from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.text.prompt_injection import APART
from services.answer.citing.citations import withdrawn
from services.answer.lexicon.words import stems_of
from services.answer.quoting.unit_rendering import item_body, render_prose
from services.answer.verification.claims import read_claims
from services.answer.verification.windows import ParsedSentence, WindowSource
from services.answer.writing.pieces import Kind, SentenceEnds

_UNCLAIMED: Final = re.compile(r"\W*|(?:#|//|--|;|%)\s.*|<!--.*|/\*.*")
"""Lines without content: brackets, dots, comments. A comment has a space, so `#define` and `--port` are code."""
_MARKUP: Final = re.compile(r"[*_`]+")
_WORD: Final = re.compile(r"\w")
LEAST_SHARED: Final = 0.8
"""Least share of a sentence's words that its replacement has, with the passage's title (by hand)."""
_ROW: Final = "|"
"""A table row is no replacement: it needs its head."""
_REASON: Final = "The passage's own words stand in its place: {}"


def check_verbatim(number: int, sentence: SentenceEnds, references: Iterable[Reference]) -> Citation:
    """Return the verdict on code or a row: verified if one passage has all of its parts, weak if several have.

    The parts of code are its lines, but for comments and ellipses; those of a row are its cells, in any case. The
    references come with the likeliest first.
    """
    parts, flags = _parts(sentence), re.NOFLAG if sentence.kind is Kind.CODE else re.IGNORECASE
    # None may stand just within a longer word or number.
    patterns = {part: re.compile(rf"(?<!\w){re.escape(_squeeze(part))}(?!\w)", flags) for part in parts}
    found: dict[str, CitedSpan] = {}
    for reference in references:
        passage = reference.evidence.passage
        text = _squeeze(" ".join((passage.title, *passage.headings, passage.text)))
        standing = {part for part, pattern in patterns.items() if pattern.search(text)}
        cited_span = CitedSpan.of(reference.number, passage, _span(passage, parts))
        if parts and standing.issuperset(parts):
            return Citation(number, (cited_span,), Verdict.VERIFIED, 1.0, "Its parts stand in the passage.")
        found = {**dict.fromkeys(standing, cited_span), **found}
    if not parts or not found.keys() >= set(parts):
        return withdrawn(number, "No passage has all of its parts.")
    return Citation(number, tuple(dict.fromkeys(found.values())), Verdict.WEAK, 0.5, "Several passages have its parts.")


def _parts(sentence: SentenceEnds) -> Sequence[str]:
    if sentence.kind is not Kind.CODE:
        return [_MARKUP.sub("", cell).strip() for cell in sentence.text.split("|") if _WORD.search(cell)]
    lines = [line.strip() for line in sentence.text.split("\n")[1:-1]]
    return [line for line in lines if not _UNCLAIMED.fullmatch(line)]


def _span(passage: Passage, parts: Sequence[str]) -> Span:
    """The span from the first part to the last if they are in this order; otherwise the whole text."""
    text = passage.text
    start, last = (text.find(parts[0]), text.rfind(parts[-1])) if parts else (-1, -1)
    return Span(start, last + len(parts[-1])) if 0 <= start <= last else Span(0, len(text))


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def replaced(
    citation: Citation, sentence: str, sources: Sequence[WindowSource], quoted: Iterable[CitedSpan]
) -> Citation:
    """Return a withdrawal with the nearest sentence of the passages as replacement; unchanged if none is near.

    The sources come with the likeliest first; what is `quoted` in the answer is not told again.
    """
    candidates = [
        (source, parsed)
        for source in sources
        for parsed in source.parsed.sentences
        if APART not in parsed.text and not parsed.text.lstrip().startswith(_ROW)
    ]
    shares = [_share(sentence, source, parsed) for source, parsed in candidates]
    if not shares or (most := max(shares)) < LEAST_SHARED:
        return citation
    source, parsed = candidates[shares.index(most)]
    denials, others = (read_claims(text, source.language).denials for text in (sentence, parsed.text))
    span = CitedSpan.of(source.number, source.passage, parsed.span)
    is_told = any(each.passage_id == span.passage_id and each.span.overlaps(span.span) for each in quoted)
    if is_told or bool(denials) is not bool(others):
        return citation
    text = render_prose(parsed.text[item_body(parsed.text) :])
    return Citation(citation.sentence, (span,), Verdict.VERIFIED, 1.0, _REASON.format(citation.reason), text)


def _share(sentence: str, source: WindowSource, parsed: ParsedSentence) -> float:
    """The share of a sentence's words that another one has; those of its title count only beside others."""
    stems = frozenset(stems_of(sentence, source.language))
    title_stems = source.parsed.title_stems
    if not stems & (parsed.stems - title_stems):
        return 0.0
    return len(stems & (parsed.stems | title_stems)) / len(stems)
