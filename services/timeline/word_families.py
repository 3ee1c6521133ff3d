"""Word families for kinds of events: a question about landings also matches a touchdown."""

from collections.abc import Mapping
from functools import lru_cache

from libs.language.topics.timelines import TimelineWords
from libs.text.tokens import stem


@lru_cache(maxsize=65_536)
def of_one_family(first: str, second: str, language: str) -> bool:
    """Whether two stems belong to one kind of event, or one is a prefix of the other (`land`, `lander`)."""
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= 4 and len(longer) - len(shorter) <= 2 and longer.startswith(shorter):
        return True
    families = _families_of(language)
    return not families.get(shorter, frozenset()).isdisjoint(families.get(longer, frozenset()))


@lru_cache(maxsize=64)
def _families_of(language: str) -> Mapping[str, frozenset[int]]:
    families: dict[str, frozenset[int]] = {}
    for number, family in enumerate(TimelineWords.of(language).families):
        for word in family.split():
            word_stem = stem(word, language)
            families[word_stem] = families.get(word_stem, frozenset()) | {number}
    return families
