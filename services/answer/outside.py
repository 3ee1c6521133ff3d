"""Answers from elsewhere, checked as the stage's own are: orders in a passage bear nothing out."""

from collections.abc import Sequence
from dataclasses import replace

from libs.contracts.answers import Citation
from services.answer.requests import VerifyRequest
from services.answer.testimony import cite_told, reported
from services.answer.verification.verify import verify


def verify_outside(request: VerifyRequest) -> Sequence[Citation]:
    """One verdict a sentence, in their order."""
    told = replace(request, passages=tuple(map(reported, request.passages)))
    pairs = zip(verify(told), request.sentences, strict=True)
    return [cite_told(citation, sentence) for citation, sentence in pairs]
