"""Whether an answer is wanted in a language that its question is not in."""

from libs.language.detection import detect_language
from services.answer.requests import WriteRequest


def is_foreign(request: WriteRequest) -> bool:
    """Whether the wanted language is another than the question's, as far as that can be told."""
    wanted = request.language.partition("-")[0].lower()
    return bool(wanted) and detect_language(request.question) not in (None, wanted)
