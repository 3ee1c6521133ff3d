"""Things distinguished by ordinals: the second well is not the first one."""

from functools import lru_cache

from libs.language.topics.ordinal_things import OrdinalThings
from libs.text.calendar_words import ordinal_number
from libs.text.tokens import stem


def tells_of_another(question: str, sentence: str, language: str) -> bool:
    """Whether the sentence has the question's thing with a different ordinal only: the first, not the second well.

    Args:
        question: the question.
        sentence: the sentence to compare.
        language: of both, ISO 639-1.
    """
    question_things = _ordinal_things(question, language)
    if not question_things:
        return False
    sentence_things = _ordinal_things(sentence, language)
    return question_things.isdisjoint(sentence_things) and not {thing for _, thing in question_things}.isdisjoint(
        thing for _, thing in sentence_things
    )


@lru_cache(maxsize=1024)
def _ordinal_things(text: str, language: str) -> frozenset[tuple[int | str, str]]:
    """Return pairs of ordinal and stem: 2 and `well`; an ordinal without a number is its stem: `last`."""
    forms = OrdinalThings.of(language)
    rows = ((match["nths"], stem(match["thing"], language)) for match in forms.row.finditer(text))
    return frozenset(
        (ordinal_number(nth, language) or stem(nth, language), thing)
        for nths, thing in rows
        for nth in forms.nth.findall(nths)
    )
