"""Words by which a sentence may answer, though it does not say the question's own: `carried into space` tells a launch.

Looser than `related_words`, which also tells whether a claim is borne out: an answer that is quoted may be found by a
word that would prove nothing.
"""

from collections.abc import Mapping
from functools import lru_cache

from services.answer.lexicon.related_words import has_related
from services.text.tokens import stem

_GROUPS = """
begin began start launch born open
launch carry carried
end last final lost destroy fell
land landing touchdown descend
pass past flyby fly flew cross
learn find found discover report conclude reveal show study
air atmosphere gas
largest biggest greatest heaviest
run live work operate
"""


def tells_of(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems is related to this one, or may tell of it in an answer."""
    return has_related(stem, stems) or not _telling_stems().get(stem, frozenset()).isdisjoint(stems)


@lru_cache(maxsize=1)
def _telling_stems() -> Mapping[str, frozenset[str]]:
    """From a stem to those that may tell of it."""
    telling: dict[str, set[str]] = {}
    for line in _GROUPS.split("\n"):
        group = {stem(word) for word in line.split()}
        for member in group:
            telling.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in telling.items()}
