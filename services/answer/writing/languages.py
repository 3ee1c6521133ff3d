"""Whether an answer is wanted in a language that its question and sources are not in."""

from services.answer.requests import WriteRequest
from services.text.tokens import is_stop_word, tokenize

_ENGLISH = "en"


def is_foreign(request: WriteRequest) -> bool:
    """Whether the wanted language is another than the question's, as far as it is known: English is, by its words."""
    wanted = request.language.partition("-")[0].lower()
    if not wanted:
        return False
    english = any(is_stop_word(token.text) for token in tokenize(request.question))
    return (wanted == _ENGLISH) != english
