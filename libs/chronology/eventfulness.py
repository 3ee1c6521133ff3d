"""Scores how likely a dated sentence describes an event, by its English past-tense verbs."""
# ruff: noqa: SIM905 - a list of words reads best as words

import re

from libs.contracts.dates import Precision
from libs.text.memoize import memoized

_WORD = re.compile(r"[a-z’']+")
_IRREGULAR = frozenset(
    """
    arose ate awoke became began begun bent bit blew bore bought bound broke broken brought built burst came
    caught chose chosen clung crept cut dealt dived dove drew driven drove dug fallen fed fell felt fled flew
    flown forbade forgot fought found froze frozen gave given got grew grown ground heard held hid hit hung hurt
    kept laid leapt led left lent let lit lost made meant met overcame overthrew paid put quit ran rang read
    risen rode rose sang sank sat saw seen sent set shaken shone shook shot showed shown shrank shut slept slew
    slid sold sought spent split spoke spread sprang stole stood struck stuck sunk swam swept swore taken taught
    thought threw thrown told took torn tore underwent undertook won withdrew woke wore wound wrote written died
    """.split()
)
_NO_VERBS = frozenset(
    """
    need indeed speed hundred breed seed feed weed united sacred naked aged red bed shed unmanned crewed
    so-called wicked kindred embed proceed exceed succeed bleed greed based located situated called named known
    considered related supposed used interested limited advanced detailed complicated continued remained
    """.split()
)
"""Words that end like a past tense but describe a state or a kind, or are no verbs."""
_LIST_ITEM = re.compile(
    r"[^\w]*(?:(?:\d{1,2}\s+)?(?:[A-Z][a-z]{2,8}\s+)?(?:\d{1,2},\s+)?\d{4}|\d{4}-\d\d-\d\d)\s*[:–—-]\s"
)
_LETTERS = re.compile(r"[a-z]{3}")

_BY_PRECISION = {
    Precision.DAY: 1.0,
    Precision.MONTH: 0.85,
    Precision.SEASON: 0.75,
    Precision.YEAR: 0.7,
    Precision.DECADE: 0.4,
    Precision.CENTURY: 0.3,
}


@memoized(texts=2048, longest=1000)
def verbs_in(sentence: str) -> tuple[str, ...]:
    """The past-tense verbs of a sentence that indicate an event, as written; only lower-case words are found."""
    return tuple(word for word in _WORD.findall(sentence) if word in _IRREGULAR or _is_past(word))


def _is_past(word: str) -> bool:
    return word.endswith("ed") and len(word) > 3 and word not in _NO_VERBS


def eventfulness(sentence: str, precision: Precision, is_item: bool = False) -> float:
    """How likely a dated sentence describes an event, in (0, 1]; exact dates score higher than vague ones.

    A list item below a date (`is_item`, or `1969: Apollo 11 lands`) counts as an event even without such a verb. So
    does a sentence without Latin letters.
    """
    if sentence.rstrip().endswith("?"):
        return 0.1
    count = len(verbs_in(sentence))
    if not count and (is_item or _LIST_ITEM.match(sentence) or not _LETTERS.search(sentence)):
        count = 1
    return _BY_PRECISION[precision] * (0.4, 0.9, 1.0)[min(count, 2)]
