"""Sanitize evidence: instructions in a passage (prompt injection) support no sentence and are not quoted.

They are masked in place. All other text keeps its position, so spans stay valid in the stored passage. Pure functions;
`verify_outside`, which verifies answers of others, takes a core for long: call it in a thread.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from libs.contracts.answers import Citation, CitedSpan
from libs.contracts.evidence import Passage, Reference
from libs.contracts.spans import Span
from libs.contracts.stages.answer import VerifyRequest
from libs.text.prompt_injection import APART, without_injections
from services.answer.verification.verify import verify

_without_injections = lru_cache(maxsize=256)(without_injections)
"""Cached because writing one answer reads its passages several times; 256 texts are several answers' (taste)."""


def sanitize_reference(reference: Reference) -> Reference:
    """Return the reference without instructions in its passage's text and title; the same object if it has none."""
    passage = reference.evidence.passage
    clean_passage = sanitize_passage(passage)
    if clean_passage is passage:
        return reference
    return replace(reference, evidence=replace(reference.evidence, passage=clean_passage))


def sanitize_passage(passage: Passage) -> Passage:
    """Return the passage without instructions in its text and title; the same object if it has none."""
    text, title = _without_injections(passage.text), _without_injections(passage.title)
    if (text, title) == (passage.text, passage.title):
        return passage
    return replace(passage, text=text, title=" ".join(title.split()))


def sanitize_citation(citation: Citation) -> Citation:
    """Return the citation with spans that contain masked instructions cut to their longest part."""
    return replace(citation, references=tuple(map(_longest_part, citation.references)))


def _longest_part(cited_span: CitedSpan) -> CitedSpan:
    if APART not in cited_span.quote:
        return cited_span
    quote = max(cited_span.quote.split(APART), key=len).strip()
    start = cited_span.span.start + cited_span.quote.index(quote)
    return replace(cited_span, span=Span(start, start + len(quote)), quote=quote)


def verify_outside(request: VerifyRequest) -> Sequence[Citation]:
    """Return one citation with a verdict per sentence, in order."""
    clean_request = replace(request, passages=tuple(map(sanitize_passage, request.passages)))
    return list(map(sanitize_citation, verify(clean_request)))
