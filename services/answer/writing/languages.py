"""Checks whether the answer's language differs from the question's."""

from libs.contracts.stages.answer import WriteRequest
from libs.language.detection import detect_language


def is_foreign(request: WriteRequest) -> bool:
    """Whether the requested language differs from the question's; False if the question's language is unknown."""
    language = request.language.partition("-")[0].lower()
    return bool(language) and detect_language(request.question) not in (None, language)
