"""Words of questions about the rows of a table: read from files by `Topic.of` (LanguageDataError)."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.known import ENGLISH
from libs.language.topic import Topic


@dataclass(frozen=True)
class TableQuestions(Topic):
    """Words of a language for functions over rows, conditions on cells, and results; phrases are lower-cased."""

    functions: Mapping[str, tuple[str, ...]]
    """Phrases that ask for a function: `count`, `total`, `average`; of a quantity `highest` and `lowest`, of a time
    `latest` and `earliest`, of groups of rows `most` and `fewest`, for groups `each`; `other` for one that is not
    computed. They may also ask for a `time`, an `amount`, which is a sum, or `distinct` cells."""
    comparisons: Mapping[str, tuple[str, ...]]
    """Phrases before a number or time, by `>`, `≥`, `<`, `≤`, `between`, and of times `before` and `after`."""
    trailing: Mapping[str, tuple[str, ...]]
    """Phrases after a number: `≥` (`or more`), `≤`."""
    telling: Mapping[str, tuple[str, ...]]
    """Words of the names of columns that words of a question tell of: of weight `heavy heavier heaviest`."""
    negations: tuple[str, ...]
    """Words before a value that rows must not have."""
    general: frozenset[str]
    """Phrases for an extreme of any number or time: `highest`, `latest`."""
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


def table_sentences(language: str) -> Mapping[str, str]:
    """The sentences about results in a language, else in English."""
    return TableQuestions.of(language).sentences or TableQuestions.of(ENGLISH).sentences
