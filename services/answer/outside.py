"""Answers from elsewhere, checked as the stage's own are: instructions in a passage bear nothing out."""

from collections.abc import Sequence
from dataclasses import replace

from libs.contracts.answers import Citation
from services.answer.evidence_sanitizer import sanitize_citation, sanitize_passage
from services.answer.requests import VerifyRequest
from services.answer.verification.verify import verify


def verify_outside(request: VerifyRequest) -> Sequence[Citation]:
    """One verdict a sentence, in their order."""
    sanitized = replace(request, passages=tuple(map(sanitize_passage, request.passages)))
    pairs = zip(verify(sanitized), request.sentences, strict=True)
    return [sanitize_citation(citation, sentence) for citation, sentence in pairs]
