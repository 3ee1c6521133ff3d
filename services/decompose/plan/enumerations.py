"""One thing asked about several names: "When did Viking 1 and Viking 2 land?" """

import regex

from services.decompose.condense.tidy import tidy
from services.decompose.plan.parts import Split
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

MOST_NAMES = 4
_TOGETHER = regex.compile(
    r"\b(?:between|together|difference|compared?|relation|relationship|combined|both|meet|each other|merge|versus|vs"
    r"|same|alike|similar|equal)\b",
    regex.IGNORECASE,
)
_JOINT = regex.compile(r"\s*(?:,|,?\s+and|,?\s+&)\s+(?:the\s+)?", regex.IGNORECASE)
_SINGULAR = {"were": "was", "are": "is", "have": "has", "do": "does"}


def split_enumeration(question: str) -> Split | None:
    """Return one sub-query per name if there are clearly several names of one kind; else None."""
    phrases = find_phrases(question)
    group = _group(question, phrases)
    if not group or _TOGETHER.search(question):
        return None
    before, after = question[: group[0].start], question[group[-1].end :]
    texts = [tidy(f"{_in_singular(before)}{phrase.text}{after}") for phrase in group]
    names = ", ".join(f'"{phrase.text}"' for phrase in group)
    return Split.side_by_side(texts, f"it asks the same of {names}")


def _group(question: str, phrases: tuple[Phrase, ...]) -> list[Phrase]:
    """The first run of joined names of one kind that can't be a single name ("Johnson and Johnson"), or empty."""
    for index, first in enumerate(phrases):
        group = [first]
        for phrase in phrases[index + 1 :]:
            match = _JOINT.fullmatch(question[group[-1].end : phrase.start])
            if not match or not _alike(first, phrase):
                break
            group.append(phrase)
        if 1 < len(group) <= MOST_NAMES and _is_closed(question, group) and _are_several(question, group):
            return group
    return []


def _alike(first: Phrase, second: Phrase) -> bool:
    if first.kind is not second.kind or first.text.lower() == second.text.lower() or first.tail:
        return False
    return first.kind in {PhraseKind.NUMBERED, PhraseKind.PLACE} or (
        first.kind is PhraseKind.NAME and " " in first.text and " " in second.text
    )


def _is_closed(question: str, group: list[Phrase]) -> bool:
    """Whether "and" joins the last two: "A, B" alone may be "Paris, Texas"."""
    return (
        "and" in question[group[-2].end : group[-1].start].lower() or "&" in question[group[-2].end : group[-1].start]
    )


def _are_several(question: str, group: list[Phrase]) -> bool:
    """Whether a plural verb confirms several names if they are plain: "the Gaming and Amusement Corporation" is one."""
    plural = any(word in _SINGULAR for word in question[: group[0].start].lower().split())
    return group[0].kind is not PhraseKind.NAME or plural


def _in_singular(before: str) -> str:
    """The words before the names with a singular verb: "when were" becomes "when was"."""
    words = before.split(" ")
    return " ".join(_SINGULAR.get(word.lower(), word) for word in words)
