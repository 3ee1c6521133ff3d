"""Judges sentences that make no claim of their own.

`Yes.` depends on the sentence that supports it, `The steps are:` on what follows. Such a sentence is judged with the
next one. Pure functions.
"""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from libs.contracts.answers import Citation, Verdict
from libs.language.known import any_word
from libs.text.dates.document_dates import find_dates
from libs.text.numbers.finder import find_numbers
from services.answer.citing.citations import withdrawn
from services.answer.lexicon.words import stems_of
from services.answer.quoting.dependence import announces
from services.answer.verification.claims import read_claims

_MAX_WORDS: Final = 4
"""Limit on the words after it: `Yes, you can.` is still a short answer. Chosen, not fitted."""
_AS_ASKED: Final = 0.8
"""The share of the question's words in a sentence that affirms or denies what was asked. Chosen, not fitted."""
NO_GROUND: Final = "Nothing follows that bears it out."
BY_NEXT: Final = "The sentence that follows bears it out."
CONTRARY: Final = "What follows says the contrary."
UNDETERMINED: Final = "The source supports the sentence that follows; whether that answers the question is open."


def depends_on_next(sentence: str, question_stems: frozenset[str], language: str) -> bool:
    """Whether a sentence is judged with the next one: an announcement, or a short answer with words of the question."""
    if find_numbers(sentence, language) or find_dates(sentence, language=language):
        return False
    if is_short_answer(sentence):
        return question_stems.issuperset(stems_of(_answer().sub("", sentence, count=1), language))
    return announces(sentence)


def is_short_answer(sentence: str) -> bool:
    """Whether a sentence is `yes` or `no`, in any language, with few other words."""
    opening = _answer().match(sentence)
    return opening is not None and len(sentence[opening.end() :].split()) < _MAX_WORDS


def judge_by_next(
    number: int, sentence: str, question: str, ground: str, citation: Citation, language: str
) -> Citation:
    """Return the verdict on a sentence that was judged with the next one.

    `ground` is the next sentence, which was not withdrawn, and `citation` its citation.
    """
    supported = replace(citation, sentence=number, replacement=None, reason=BY_NEXT)
    if not is_short_answer(sentence):
        return supported
    asked, told = read_claims(question, language), read_claims(ground, language)
    is_as_asked = bool(asked.stems) and len(asked.stems & told.stems) >= _AS_ASKED * len(asked.stems)
    if not is_as_asked:
        return replace(supported, verdict=Verdict.WEAK, reason=UNDETERMINED)
    is_affirmed = bool(asked.denials) is bool(told.denials)
    is_denial = _denial().match(sentence) is not None
    return withdrawn(number, CONTRARY) if is_affirmed is is_denial else supported


@lru_cache(maxsize=1)
def _answer() -> re.Pattern[str]:
    words = any_word(lambda language: (*language.affirmations, *language.denials))
    return re.compile(rf"(?:(?<!\W)\W++)?(?:{words})(?!\w)[\s,.!:;。！，–—-]*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _denial() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{any_word(lambda language: language.denials)})(?!\w)", re.IGNORECASE)
