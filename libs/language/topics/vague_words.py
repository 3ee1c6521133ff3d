"""Words of a question that describe the kind of answer rather than its subject."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class VagueWords(Topic):
    """Words by what they tell about the answer; lower-cased."""

    vague: frozenset[str]
    """Words for the kind of answer: `happen`, `year`, `long`."""
    before_counts: frozenset[str]
    """Words that precede a count and are not part of a name: `first 7`."""
