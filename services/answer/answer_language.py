"""The languages of a question and its answer. Pure functions: no I/O, nothing is raised."""

from collections import Counter
from collections.abc import Iterable

from libs.contracts.evidence import Passage
from libs.contracts.stages.answer import WriteRequest
from libs.language.detection import detect_language, reading_language
from libs.language.known import ENGLISH


def question_language(question: str, passages: Iterable[Passage]) -> str:
    """Return a question's language (ISO 639-1); if uncertain, the most frequent one of its evidence, else English."""
    return reading_language(question, usual_language(passages) or ENGLISH)


def answer_language(request: WriteRequest) -> str:
    """Return the language of an answer, ISO 639-1: the requested one, else the question's."""
    return requested_language(request) or question_language(
        request.question, [each.evidence.passage for each in request.references]
    )


def requested_language(request: WriteRequest) -> str:
    """Return the requested language, ISO 639-1; empty if any will do."""
    return request.language.partition("-")[0].lower()


def usual_language(passages: Iterable[Passage]) -> str:
    """Return the most frequent language of some passages, ISO 639-1; empty if it is unknown."""
    languages = Counter(passage.language for passage in passages).most_common(1)
    return languages[0][0] if languages else ""


def is_foreign(request: WriteRequest) -> bool:
    """Whether the requested language differs from the question's; False if the question's language is unknown."""
    language = requested_language(request)
    return bool(language) and detect_language(request.question) not in (None, language)
