"""Complete incomplete names in a question from the history, or from what a probe found.

`Armstrong` becomes `Neil Armstrong` if exactly one such name occurs. `Apollo` becomes `Apollo 11` only if no other
Apollo occurs and no noun follows it in the question. If two full names fit, the word is left unchanged, with a note. A
word that occurs alone before any full name is a name itself (`Mars` before `Mars Express`) and is left without a note.
"""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.known import ENGLISH, language_of
from libs.text.units import unit_named
from services.intent.groundings import Grounding

_RUN = re.compile(r"\b[^\W\d_a-z][\w’'-]*(?:\s+(?:[^\W\d_a-z][\w’'-]*|\d+(?![\w.,]*\d{3})\b))*")
"""Consecutive capitalised words and numbers: `Neil Armstrong`, `Apollo 11`."""
_PARTICLE = r"(?:von|van|de|da|di|del|della|der|den|du|la|le|al|el|bin|ibn)\s+"
_PARTICLES_BEFORE = re.compile(rf"(?<!\w)(?:{_PARTICLE}){{1,2}}\Z")
_FULL_BEFORE = re.compile(rf"(?:[^\W\d_a-z][\w-]*\.?\s+){{1,2}}(?:{_PARTICLE}){{0,2}}\Z")
_NUMBER_AFTER = re.compile(r"\s+(?:\d{1,3}|[IVX]{1,4})\b(?!\s*(?:%|percent|st|nd|rd|th))")
_WORD = re.compile(r"\s*([^\W\d_]+)")
_COMMON_BEFORE = re.compile(
    r"\b(?:(?i:the|an?|this|that|these|those|my|your|our|his|her|their|its|every|each)|[A-Z]\.)\s+\Z"
)
_ENDINGS: Final = frozenset({"Inc", "Ltd", "Corp", "Jr", "Sr", "Street", "Avenue", "County", "City", "University"})
_NO_NAME: Final = frozenset(
    """
        a an the and or but in on at of for from to by with about is are was were did do does has have had can could
        will would should who what when where why which how whose tell explain describe compare list name give show
        please i it he she they we you this that these those yes no if as after before during since until january
        february march april may june july august september october november december monday tuesday wednesday
        thursday friday saturday sunday
    """.split()
)
_COMMON_FIRST: Final = frozenset(
    """
        new north south east west northern southern eastern western upper lower great united old little big san santa
        saint st los las el la port fort mount lake cape central full first second third world soviet american russian
        chinese indian european
    """.split()
)
"""Names that begin with these words are not shortened to their last word: `Mexico` never means `New Mexico`."""
_TITLES: Final = frozenset(
    """
        mr mrs ms dr prof professor president captain commander sir lady king queen astronaut cosmonaut
    """.split()
)
_MOST_TEXTS: Final = 200
_MOST_NAMES: Final = 8
"""Maximum number of short names looked up per question; each costs a pass over the history."""


@dataclass(frozen=True, slots=True)
class _ShortName:
    text: str
    start: int
    end: int


def complete_names(
    question: str, history: Sequence[str], probe_texts: Sequence[str] = (), language: str = ENGLISH
) -> tuple[Grounding, ...]:
    """Return groundings that complete the names of a question, or say why one is ambiguous.

    Args:
        question: the standalone question.
        history: the earlier turns, oldest first.
        probe_texts: titles and texts from a probe; used only if the history does not mention the name.
        language: the question's language, ISO 639-1; where all nouns have capitals, these tell no names.
    """
    if language_of(language).capitalises_nouns:
        return ()
    groundings = []
    for short_name in islice(_short_names(question), _MOST_NAMES):
        source, full_names = "told so in the conversation", _full_names(short_name.text, history)
        if not full_names and not _is_mentioned(short_name.text, history):
            source, full_names = "found so in the corpus", _full_names(short_name.text, probe_texts)
        if full_names and (completion := _completion(question, short_name, full_names, source)):
            groundings.append(completion)
    return tuple(groundings)


def _short_names(question: str) -> Iterator[_ShortName]:
    """Yield single capitalised words that are not part of a longer name."""
    for run in _RUN.finditer(question):
        words = list(re.finditer(r"\S+", run[0]))
        while words and _without_possessive(words[0][0]).lower() in _NO_NAME:
            words.pop(0)
        if len(words) == 1:
            name = _without_possessive(words[0][0])
            start = run.start() + words[0].start()
            if len(name) > 2 and not name.isupper() and name not in _ENDINGS and not _is_common(question, start, name):
                end = start + len(name)
                start = _with_particles(question, start)
                yield _ShortName(question[start:end], start, end)


def _with_particles(question: str, start: int) -> int:
    """Return the start of a name, including its `von` or `de la`."""
    particles = _PARTICLES_BEFORE.search(question, 0, start)
    return particles.start() if particles else start


def _without_possessive(word: str) -> str:
    return re.sub(r"['’]s?\Z", "", word)


def _is_common(question: str, start: int, name: str) -> bool:
    """Whether the capital proves no name: after an article or initial, or first in a sentence and not possessive."""
    before = question[:start]
    if _COMMON_BEFORE.search(before):
        return True
    first = not before.strip() or before.rstrip()[-1] in ".?!"
    return first and question[start + len(name) : start + len(name) + 1] not in ("'", "’")


def _is_mentioned(name: str, texts: Sequence[str]) -> bool:
    return any(name in text for text in texts)


def _full_names(short: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the full names that a short one may stand for, in order; none if it first occurs alone."""
    word = re.compile(rf"\b{re.escape(short)}\b")
    common = re.compile(rf"\b{re.escape(short.lower())}\b")
    if any(common.search(text) for text in texts):
        return ()
    names: dict[str, None] = {}
    for text in texts[-_MOST_TEXTS:]:
        for match in word.finditer(text) if short in text else ():
            full_name = _name_around(text, match)
            if full_name is None and not names:
                return ()
            if full_name:
                names[full_name] = None
    return tuple(names)


def _name_around(text: str, match: re.Match[str]) -> str | None:
    """Return the longer name around a word; None if the word is alone."""
    number = _NUMBER_AFTER.match(text, match.end())
    if number and not _is_measured(text, number.end()):
        return match[0] + re.sub(r"\s+", " ", number[0])
    before = _FULL_BEFORE.search(text, max(0, match.start() - 60), match.start())
    words = before[0].split() if before else []
    while words and _is_no_part(words[0]):
        words.pop(0)
    if not words or words[0].lower() in _COMMON_FIRST:
        return None
    return " ".join([*words, match[0]])


def _is_measured(text: str, end: int) -> bool:
    """Whether a number that ends here has a unit: `in Zurich 190 euros`."""
    unit = _WORD.match(text, end)
    return unit is not None and unit_named(unit[1]) is not None


def _is_no_part(word: str) -> bool:
    """Whether a word is a title, a function word, or the end of the previous sentence; initials are parts of names."""
    return word.lower().rstrip(".") in _NO_NAME | _TITLES or (word.endswith(".") and len(word) > 2)


def _completion(question: str, short_name: _ShortName, full_names: Sequence[str], source: str) -> Grounding | None:
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


def _stands_alone(question: str, short: _ShortName) -> bool:
    """Whether no noun follows that would make it a category: `Apollo missions`, `Apollo program`."""
    return re.match(r"(?:['’]s)?\s*(?:[?.!,;]|\Z)", question[short.end :]) is not None
