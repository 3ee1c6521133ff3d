"""Words of questions about the rows of a table: read from files by `Topic.of` (LanguageDataError)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from libs.language.files import known_languages
from libs.language.known import ENGLISH
from libs.language.topic import Topic


@dataclass(frozen=True)
class TableQuestions(Topic):
    """Words of a language for functions over rows, conditions on cells, and results; phrases are lower-cased."""

    functions: Mapping[str, tuple[str, ...]]
    """Phrases that ask for a function: `count`, `total`, `average`; of a quantity `highest` and `lowest`, of a time
    `latest` and `earliest`, of groups of rows `most` and `fewest`, for groups `each`, for those of several rows
    `plural`, for a `share` or a `difference`, of a place in an order `won`; `uncomputed` and `other` for what is not
    computed. They may also ask for a `time`, an `amount`, which is a sum, or `distinct` cells."""
    comparisons: Mapping[str, tuple[str, ...]]
    """Phrases before a number or time, by `>`, `≥`, `<`, `≤`, `=`, `between`, for times `before` and `after`, and
    `older` and `younger`, which are above or below by what they are compared with."""
    trailing: Mapping[str, tuple[str, ...]]
    """Phrases after a number: `≥` (`or more`), `≤`."""
    ordinals: Mapping[str, tuple[str, ...]]
    """Phrases for a place in an order, by its number."""
    concepts: Mapping[str, Mapping[str, tuple[str, ...]]]
    """What is measured or told, by an English name that all languages share: phrases for more or most of it (`most`:
    `heaviest`) and `least`, words that tell of it (`tell`: `heavy`, `weighs`), and of columns with it the words of the
    names, those of points in time of which the earliest has most of it (`times`), and the units or dimensions."""
    opposites: Mapping[str, str]
    """Words for what does not hold, by those for what does: `failed`, `passed`."""
    negations: tuple[str, ...]
    """Words before a value that rows must not have, and beginnings of words that deny the rest: `unpaid`."""
    degree: frozenset[str]
    """Words that ask how much there is of what the next one tells: `how long`."""
    both: tuple[str, ...]
    """Phrases by which a comparison is on each of several columns."""
    focus: frozenset[str]
    """Words that ask for what follows them, or for what they tell of: `which`, `who`."""
    whether: frozenset[str]
    """Words that begin a question that is answered by yes or no."""
    yes: frozenset[str]
    """Cells that affirm, lower-cased, like `no` and `blank`."""
    no: frozenset[str]
    blank: frozenset[str]
    """Cells without a value, such as `n/a`."""
    endings: frozenset[str]
    """Endings by which words of one root differ that name a deed and a column: `own`, `owner`."""
    fillers: frozenset[str]
    """Words that say nothing of rows: `list`, `table`."""
    sentences: Mapping[str, str]
    """The suite's own sentences about results, by function."""


@lru_cache(maxsize=64)  # taste
def concept_words(part: str) -> Mapping[str, frozenset[str]]:
    """The words of a part of each concept (`names`, `times`, `units`), of all languages."""
    found: dict[str, frozenset[str]] = {}
    for language in known_languages():
        for name, parts in TableQuestions.of(language).concepts.items():
            found[name] = found.get(name, frozenset()) | frozenset(parts.get(part, ()))
    return found


@lru_cache(maxsize=8)  # taste
def cell_words(part: str) -> frozenset[str]:
    """The cells of a part (`yes`, `no`, `blank`), of all languages."""
    return frozenset(word for language in known_languages() for word in getattr(TableQuestions.of(language), part))


def table_sentences(language: str) -> Mapping[str, str]:
    """The sentences about results in a language, else in English."""
    return TableQuestions.of(language).sentences or TableQuestions.of(ENGLISH).sentences
