"""What a PromQL expression reads: names of metrics and of labels."""

import re
from dataclasses import dataclass
from typing import Final

WORDS: Final = frozenset(
    {
        *("sum", "count", "absent", "rate", "histogram_quantile", "label_replace", "min_over_time"),
        *("by", "and", "or", "unless", "offset"),
    }
)
"""Functions and operators in use."""


@dataclass(frozen=True)
class Names:
    """The names that an expression reads."""

    metrics: frozenset[str]
    labels: frozenset[str]


def names_of(expression: str) -> Names:
    """The metrics and labels of an expression; label_replace's own arguments are strings and don't count."""
    code = re.sub(r'"(?:[^"\\]|\\.)*"', "", expression)
    selectors = re.findall(r"\{([^}]*)\}", code)
    groupings = re.findall(r"\bby\s*\(([^)]*)\)", code)
    labels = {name for part in selectors for name in re.findall(r"(\w+)\s*[=!]", part)}
    labels |= {name for part in groupings for name in re.findall(r"\w+", part)}
    code = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)", " ", code)
    names = set(re.findall(r"(?<![\w:.])[a-z_][\w:]*", code))
    return Names(frozenset(names - WORDS), frozenset(labels))
