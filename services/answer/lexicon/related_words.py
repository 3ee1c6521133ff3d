"""Related words, closely or loosely: three lists of general words, by stems, independent of any subject.

Each list is a table of the language room, with a group of words per row. `related_words` connects a question with
its answer and is used for both: for `how heavy`, a source says `mass`. The other two are wider, each for one use.
`telling_words` helps to find a short answer, although it would prove nothing (without it two of 30 questions in two
steps fail). `synonyms` covers claims in other words; a wrong synonym costs little there, because numbers, names, dates
and denials are compared separately. Pure functions with caches; a list is read from its file when it is first needed.
"""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.files import word_table
from libs.text.tokens import stem as stem_of

_SAME_ROOT = 5
"""Two stems with this many first letters in common, and at most two more, have the same root: `explos`, `explod`
(taste)."""


def has_related(stem: str, stems: frozenset[str], language: str) -> bool:
    """Whether one of the stems is related to this one, by the list or by its root."""
    if _has_listed(stem, stems, "related_words", language):
        return True
    if len(stem) <= _SAME_ROOT or not stem.isalpha():
        return False
    return stem[: max(_SAME_ROOT, len(stem) - 2)] in _beginnings(stems)


def tells_of(stem: str, stems: frozenset[str], language: str) -> bool:
    """Whether one of the stems is related to this one, or may indicate it in an answer: `carry` for a launch."""
    return has_related(stem, stems, language) or _has_listed(stem, stems, "telling_words", language)


def has_equivalent(stem: str, stems: frozenset[str], language: str) -> bool:
    """Whether one of the stems may be a synonym of this one, `mistake` for `error`, or is related to it."""
    return _has_listed(stem, stems, "synonyms", language) or has_related(stem, stems, language)


def is_covered(stem: str, stems: frozenset[str], language: str) -> bool:
    """Whether a stem is among the stems, or a synonym or related word is."""
    return stem in stems or has_equivalent(stem, stems, language)


@lru_cache(maxsize=4096)  # taste
def covered_share(stems: frozenset[str], others: frozenset[str], language: str) -> float:
    """The share of the stems for which `is_covered` holds, 0 if there are none; cached, as several checks use it."""
    return sum(is_covered(stem, others, language) for stem in stems) / len(stems) if stems else 0.0


def _has_listed(stem: str, stems: frozenset[str], name: str, language: str) -> bool:
    others = _others(name, language).get(stem)
    return others is not None and not others.isdisjoint(stems)


@lru_cache(maxsize=2048)  # taste
def _beginnings(stems: frozenset[str]) -> frozenset[str]:
    """All prefixes of the stems from the shortest root on; cached because a sentence is queried for several words."""
    return frozenset(stem[:length] for stem in stems for length in range(_SAME_ROOT, len(stem) + 1))


@lru_cache(maxsize=192)  # taste
def _others(name: str, language: str) -> Mapping[str, frozenset[str]]:
    """Map the stem of each word of a list to those of the other words on its lines."""
    groups: dict[str, set[str]] = {}
    for (words,) in word_table(name, language):
        group = {stem_of(word, language) for word in words}
        for member in group:
            groups.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in groups.items()}
