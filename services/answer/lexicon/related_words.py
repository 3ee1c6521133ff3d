"""Related words, closely or loosely: three lists of general English, by stems, independent of any subject.

Each list is a text file beside this module, with a group of words per line. `related_words` connects a question with
its answer and is used for both: for `how heavy`, a source says `mass`. The other two are wider, each for one use.
`telling_words` helps to find a sentence to quote, although it would prove nothing. `synonyms` covers claims in other
words; a wrong synonym costs little there, because numbers, names, dates and denials are compared separately.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from libs.text.tokens import stem

_SAME_ROOT = 5
"""Two stems with this many first letters in common, and at most two more, have the same root: `explos`, `explod`."""


def has_related(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems is related to this one, by the list or by its root."""
    if _has_listed(stem, stems, "related_words"):
        return True
    if len(stem) <= _SAME_ROOT or not stem.isalpha():
        return False
    return stem[: max(_SAME_ROOT, len(stem) - 2)] in _beginnings(stems)


def tells_of(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems is related to this one, or may indicate it in an answer: `carry` for a launch."""
    return has_related(stem, stems) or _has_listed(stem, stems, "telling_words")


def related_in(stem: str, stems: frozenset[str]) -> frozenset[str]:
    """Return the stems related to this one; computed once when many texts are compared with it."""
    listed = _others("related_words").get(stem, frozenset()) & stems
    if len(stem) <= _SAME_ROOT or not stem.isalpha():
        return listed
    root = stem[: max(_SAME_ROOT, len(stem) - 2)]
    return listed.union(other for other in stems if other.startswith(root))


def matching_stems(stem: str, stems: frozenset[str]) -> frozenset[str]:
    """Return the stems for which `tells_of` holds."""
    return related_in(stem, stems) | (_others("telling_words").get(stem, frozenset()) & stems)


def has_equivalent(stem: str, stems: frozenset[str]) -> bool:
    """Whether one of the stems may be a synonym of this one, `mistake` for `error`, or is related to it."""
    return _has_listed(stem, stems, "synonyms") or has_related(stem, stems)


def is_covered(stem: str, stems: frozenset[str]) -> bool:
    """Whether a stem is among the stems, or a synonym or related word is."""
    return stem in stems or has_equivalent(stem, stems)


@lru_cache(maxsize=4096)
def covered_share(stems: frozenset[str], others: frozenset[str]) -> float:
    """The share of the stems for which `is_told` holds, 0 if there are none; cached, as several checks use it."""
    return sum(is_covered(stem, others) for stem in stems) / len(stems) if stems else 0.0


def _has_listed(stem: str, stems: frozenset[str], name: str) -> bool:
    others = _others(name).get(stem)
    return others is not None and not others.isdisjoint(stems)


@lru_cache(maxsize=2048)
def _beginnings(stems: frozenset[str]) -> frozenset[str]:
    """All prefixes of the stems from the shortest root on; cached because a sentence is queried for several words."""
    return frozenset(stem[:length] for stem in stems for length in range(_SAME_ROOT, len(stem) + 1))


@lru_cache(maxsize=3)
def _others(name: str) -> Mapping[str, frozenset[str]]:
    """Map the stem of each word of a list to those of the other words on its lines."""
    related: dict[str, set[str]] = {}
    for line in files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        group = set() if line.startswith("#") else {stem(word) for word in line.split()}
        for member in group:
            related.setdefault(member, set()).update(group - {member})
    return {member: frozenset(others) for member, others in related.items()}
