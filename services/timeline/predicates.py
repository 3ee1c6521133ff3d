"""Predicates: finds the verb and the subject of a clause. Only English verbs are known."""

import re
from collections.abc import Iterable
from typing import Final

from libs.chronology.eventfulness import verbs_in

_AUXILIARY: Final = re.compile(
    r"(?:is|are|was|were|be|been|has|have|had|will|would|can|could|may|might|shall|should|do|does|did)\Z"
)
_ADVERB: Final = r"(?:\w+ly|also|then|later|soon|again|once|first)"
_ADVERBS: Final = re.compile(rf"\W*(?:{_ADVERB}\s+)*")
_LAST_ADVERBS: Final = re.compile(rf"(?:\s+{_ADVERB})+\Z")
_BEFORE_NOUN: Final = re.compile(r"(?i)\b(?:the|an?|its|his|her|their|this|that|these|those|\w+ly)\s+\Z")
_WORD: Final = re.compile(r"[^\W\d_][\w’'-]*")
_LONGEST_SUBJECT: Final = 80
"""Characters; anything longer is no subject or was misdetected."""


def begins_with_verb(words: str) -> bool:
    """Whether a clause has no subject of its own: `was later charged`, `leaving …`."""
    adverbs = _ADVERBS.match(words)
    first = _WORD.search(words, adverbs.end() if adverbs else 0)
    return first is not None and (_is_verb(first[0]) or (first[0].endswith("ing") and first[0].islower()))


def subject_of(clause: str, dates: Iterable[str]) -> str:
    """Return the text before the first verb, without a date and anything before a comma; empty without a verb."""
    verb = _predicate_in(clause)
    if verb is None:
        return ""
    begins = max((clause.find(date) + len(date) for date in dates if date in clause[:verb]), default=0)
    subject = clause[begins:verb].strip(" ,;:").rsplit(", ", 1)[-1]
    return _LAST_ADVERBS.sub("", subject) if len(subject) <= _LONGEST_SUBJECT else ""


def _predicate_in(words: str) -> int | None:
    """Return the start of the first verb, ignoring participles as in `the newly elected …`, or None."""
    verbs = (word.start() for word in _WORD.finditer(words) if _is_verb(word[0]))
    return next((start for start in verbs if not _BEFORE_NOUN.search(words[:start])), None)


def _is_verb(word: str) -> bool:
    return _AUXILIARY.match(word) is not None or verbs_in(word) == (word,)
