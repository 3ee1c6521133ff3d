"""Sanitizes evidence: instructions in a passage (prompt injection) bear nothing out and are not quoted.

They are set apart. Everything else stays where it stands, so that spans hold in the passage as it is kept.
"""

import re
from dataclasses import replace
from functools import lru_cache

from libs.contracts.answers import Citation, CitedSpan
from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.text.prompt_injection import APART, without_injections
from services.answer.lexicon.words import stems_of

_without_injections = lru_cache(maxsize=256)(without_injections)
"""An answer reads its passages several times."""
_PARTS = re.compile(f"[^{APART}]*[^{APART}\\s][^{APART}]*")


def sanitize_reference(reference: Reference) -> Reference:
    """The reference without the instructions in its passage's text and title; the very same where there are none."""
    passage = reference.evidence.passage
    sanitized = sanitize_passage(passage)
    if sanitized is passage:
        return reference
    return replace(reference, evidence=replace(reference.evidence, passage=sanitized))


def sanitize_passage(passage: Passage) -> Passage:
    """The passage without the instructions in its text and title; the very same where there are none."""
    text, title = _without_injections(passage.text), _without_injections(passage.title)
    if (text, title) == (passage.text, passage.title):
        return passage
    return replace(passage, text=text, title=" ".join(title.split()))


def has_content(passage: Passage) -> bool:
    """Whether a sanitized passage holds any text."""
    return bool(passage.text.strip())


def sanitize_citation(citation: Citation, sentence: str) -> Citation:
    """The citation without the instructions that its spans reach across: of each the part nearest to the sentence."""
    if not any(APART in cited.quote for cited in citation.references):
        return citation
    return replace(citation, references=tuple(_nearest_part(cited, sentence) for cited in citation.references))


def _nearest_part(cited: CitedSpan, sentence: str) -> CitedSpan:
    wanted = set(stems_of(sentence))
    parts = list(_PARTS.finditer(cited.quote))
    best = max(parts, key=lambda part: len(wanted.intersection(stems_of(part[0]))), default=None)
    if best is None:
        return cited
    quote = best[0].strip()
    start = cited.span.start + cited.quote.index(quote, best.start())
    return replace(cited, span=Span(start, start + len(quote)), quote=quote)
