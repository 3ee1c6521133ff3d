"""Complete incomplete names in a question from the history, or from what a probe, a shallow search, found.

`Armstrong` becomes `Neil Armstrong` if exactly one such name occurs. `Apollo` becomes `Apollo 11` only if no other
Apollo occurs and no noun follows it in the question. If two full names fit, the word is left unchanged, with a note. A
word that occurs alone before any full name is a name itself (`Mars` before `Mars Express`), and one that also occurs in
lower case is none; both are left without a note.
"""

import re
from collections.abc import Iterator, Sequence
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
"""Maximum number of short names looked up per question; each costs a pass over the history (taste)."""
_MAX_TEXTS: Final = 200
"""Maximum number of texts that are searched for full names, the newest (taste)."""


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
    groundings = []
    for name in islice(_short_names(question, language), _MAX_NAMES):
        word, is_told = name.text.split()[-1], any(name.text in text for text in history)
        source = "told so in the conversation" if is_told else "found so in the corpus"
        full_names = _full_names(word, history if is_told else probe_texts, language)
        if full_names and (completion := _completion(question, name, full_names, source)):
            groundings.append(completion)
    return tuple(groundings)


def _short_names(question: str, language: str) -> Iterator[Name]:
    """Yield the names of one word, with its particles, that may be parts of longer ones."""
    forms = NameForms.of(language)
    for name in find_names(question, language):
        *particles, word = name.text.split()
        is_whole = len(word) < _SHORTEST or not word[1:].islower() or word in forms.endings
        is_single = forms.particles.issuperset(particles)
        if name.is_written and is_single and not is_whole and not _is_common(question, name, language):
            yield name


def _is_common(question: str, name: Name, language: str) -> bool:
    """Whether a capital proves no name: after an article or initial, or opening the question without `'s`."""
    is_possessor = question[name.end : name.end + 1] in {"'", "’"}
    if name.start == 0 and not is_possessor:
        return True
    before = question[: name.start].lower().split()[-1:]
    has_determiner = not Grammar.of(language).determiners.isdisjoint(before)
    return has_determiner or NameForms.of(language).common_before.search(question, 0, name.start) is not None


def _full_names(word: str, texts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the full names that a word may stand for, in order; none if it first occurs alone."""
    names: dict[str, None] = {}
    for text in texts[-_MAX_TEXTS:]:
        if re.search(rf"\b{re.escape(word.lower())}\b", text):
            return ()
        full_names = [name for name in find_names(text, language) if word in name.text.split()] if word in text else []
        for name in full_names:
            if _is_full(name, word, language):
                names[name.text] = None
            elif not names:
                return ()
    return tuple(names)


def _is_full(name: Name, word: str, language: str) -> bool:
    """Whether a name ends with a word after others, or is the word with a number."""
    parts = name.text.split()
    first, last = parts[0], parts[-1]
    if first == word:
        return name.is_numbered and len(parts) > 1
    return last == word and first.lower() not in NameForms.of(language).common_first


def _completion(question: str, short_name: Name, full_names: Sequence[str], source: str) -> Grounding | None:
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


def _stands_alone(question: str, short: Name) -> bool:
    """Whether no noun follows that would make it a category: `Apollo missions`, `Apollo program`."""
    return re.match(r"(?:['’]s)?\s*(?:[?.!,;]|\Z)", question[short.end :]) is not None
