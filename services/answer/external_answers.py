"""Verify external answers like the stage's own; instructions in a passage support no sentence."""

from collections.abc import Sequence
from dataclasses import replace

from libs.contracts.answers import Citation
from libs.contracts.stages.answer import VerifyRequest
from libs.language.detection import reading_language
from services.answer.evidence_sanitizer import sanitize_citation, sanitize_passage
from services.answer.verification.verify import verify


def verify_outside(request: VerifyRequest) -> Sequence[Citation]:
    """Return one citation with a verdict per sentence, in order."""
    clean_request = replace(request, passages=tuple(map(sanitize_passage, request.passages)))
    pairs = zip(verify(clean_request), request.sentences, strict=True)
    return [sanitize_citation(citation, sentence, reading_language(sentence)) for citation, sentence in pairs]
