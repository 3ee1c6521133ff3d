"""Complete the last names in a question from the history: `Armstrong` becomes `Neil Armstrong`.

Only if exactly one such name was said. A word that was said alone before any full name is a name itself (`Mars` before
`Soviet Mars`), and one that was also said in lower case is none.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.topics.grammar import Grammar
from libs.language.topics.names import NameForms
from libs.text.names import Name, find_names
from services.intent.grounding.groundings import Grounding

_SHORTEST: Final = 3  # letters of a name that is looked up (taste)
_MAX_NAMES: Final = 8
"""Maximum number of last names looked up per question; each costs a pass over the history (taste)."""
_MAX_TEXTS: Final = 200
"""Maximum number of texts that are searched for full names, the newest (taste)."""


def complete_names(question: str, history: Sequence[str], language: str) -> tuple[Grounding, ...]:
    """Return groundings that complete the last names of a question.

    Args:
        question: the standalone question.
        history: the earlier turns, oldest first.
        language: the question's language, ISO 639-1.
    """
    names = (name for name in find_names(question, language) if _may_be_last_name(question, name, language))
    groundings = []
    for name in islice(names, _MAX_NAMES):
        if full_name := _full_name(name.text.split()[-1], history[-_MAX_TEXTS:], language):
            span = Span(name.start, name.end)
            grounded = Grounded(GroundedKind.ENTITY, name.text, span, full_name, "told so in the conversation")
            groundings.append(Grounding(grounded, span, full_name))
    return tuple(groundings)


def _may_be_last_name(question: str, name: Name, language: str) -> bool:
    """Whether a name is one word with its particles, not the question's first, and without a determiner."""
    *particles, word = name.text.split()
    is_single = NameForms.of(language).particles.issuperset(particles) and len(word) >= _SHORTEST
    before = question[: name.start].lower().split()[-1:]
    return bool(before) and is_single and word[1:].islower() and Grammar.of(language).determiners.isdisjoint(before)


def _full_name(word: str, history: Sequence[str], language: str) -> str:
    """The only longer name that ends with a word; empty if there are several, or the word is a name or noun itself."""
    if any(re.search(rf"\b{re.escape(word.lower())}\b", text) for text in history):
        return ""
    told = (name.text for text in history if word in text for name in find_names(text, language))
    names = list(dict.fromkeys(name for name in told if name.split()[-1] == word))
    alone = names.index(word) if word in names else len(names)
    full_names = [name for name in names if name != word] if alone else []
    is_name = len(full_names) == 1 and full_names[0].split()[0].lower() not in NameForms.of(language).common_first
    return full_names[0] if is_name else ""
