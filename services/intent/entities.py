"""Complete incomplete names in a question from the history, or from what a probe found.

`Armstrong` becomes `Neil Armstrong` if exactly one such name occurs. `Apollo` becomes `Apollo 11` only if no other
Apollo occurs and no noun follows it in the question. If two full names fit, the word is left unchanged, with a note. A
word that occurs alone before any full name is a name itself (`Mars` before `Mars Express`) and is left without a note.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.known import language_of
from services.intent.capital_names import CapitalReader
from services.intent.groundings import Grounding
from services.intent.noun_names import NounReader
from services.intent.short_name import ShortName

_MOST_NAMES: Final = 8
"""Maximum number of short names looked up per question; each costs a pass over the history."""


def complete_names(
    question: str, history: Sequence[str], probe_texts: Sequence[str], language: str
) -> tuple[Grounding, ...]:
    """Return groundings that complete the names of a question, or say why one is ambiguous.

    Args:
        question: the standalone question.
        history: the earlier turns, oldest first.
        probe_texts: titles and texts from a probe; used only if the history does not mention the name.
        language: the question's language, ISO 639-1.
    """
    reader = NounReader(language) if language_of(language).capitalises_nouns else CapitalReader(language)
    groundings = []
    for short_name in islice(reader.short_names(question), _MOST_NAMES):
        source, full_names = "told so in the conversation", reader.full_names(short_name.text, history)
        if not full_names and not _is_mentioned(short_name.text, history):
            source, full_names = "found so in the corpus", reader.full_names(short_name.text, probe_texts)
        if full_names and (completion := _completion(question, short_name, full_names, source)):
            groundings.append(completion)
    return tuple(groundings)


def _is_mentioned(name: str, texts: Sequence[str]) -> bool:
    return any(name in text for text in texts)


def _completion(question: str, short_name: ShortName, full_names: Sequence[str], source: str) -> Grounding | None:
    span = Span(short_name.start, short_name.end)
    has_numbers = any(name.startswith(f"{short_name.text} ") for name in full_names)
    if has_numbers and not _stands_alone(question, short_name):
        return None
    if len(full_names) > 1:
        alternatives = " or ".join(f'"{name}"' for name in full_names[:3])
        return Grounding(
            Grounded(GroundedKind.ENTITY, short_name.text, span, "", f"left as it stands: it may be {alternatives}")
        )
    return Grounding(Grounded(GroundedKind.ENTITY, short_name.text, span, full_names[0], source), span, full_names[0])


def _stands_alone(question: str, short: ShortName) -> bool:
    """Whether no noun follows that would make it a category: `Apollo missions`, `Apollo program`."""
    return re.match(r"(?:['’]s)?\s*(?:[?.!,;]|\Z)", question[short.end :]) is not None
