"""Questions that ask the same of several names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class EnumerationForms(Topic):
    """How several names are joined in a language."""

    together: re.Pattern[str]
    """A word by which a question asks something of all names together: `between`."""
    joint: re.Pattern[str]
    """The whole text between two names: ` and the `."""
    last_joint: re.Pattern[str]
    """What stands between the last two names."""
    singular_verbs: Mapping[str, str]
    """The singular of each plural verb before the names; lower-cased."""
