"""Placeholders: `#id` in a sub-query or in an argument stands for the answer of the node with that id. Pure."""

import re
from collections.abc import Mapping
from typing import Final

PLACEHOLDER: Final = re.compile(r"#(\w+)")


def fill_in(text: str, answers: Mapping[str, str]) -> str:
    """Replace placeholders with answers by node id; other number signs ("the #1 song") stay."""
    return PLACEHOLDER.sub(lambda match: answers.get(match[1], match[0]), text)


def named_in(text: str) -> frozenset[str]:
    """The words that follow a number sign in a text; not every one has to be a node's id."""
    return frozenset(PLACEHOLDER.findall(text))
