"""`#id` in a sub-query or in an argument stands for the answer of the node of that id."""

import re
from collections.abc import Mapping
from typing import Final

PLACEHOLDER: Final = re.compile(r"#(\w+)")


def fill_in(text: str, answers: Mapping[str, str]) -> str:
    """The text with answers, by node id, in their places; other number signs ("the #1 song") stay."""
    return PLACEHOLDER.sub(lambda match: answers.get(match[1], match[0]), text)


def named_in(text: str) -> frozenset[str]:
    """The ids that a text has behind a number sign; not each has to be a node's."""
    return frozenset(PLACEHOLDER.findall(text))
