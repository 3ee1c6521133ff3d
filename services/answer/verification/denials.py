"""What a sentence denies: the words that a negator bears on, and whether two sentences deny the same."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.answer.lexicon.related_words import has_related
from services.answer.lexicon.words import stems_of

_NEGATOR = re.compile(
    r"\b(?:no longer|not|never|no|none|nobody|nothing|neither|nor|without|cannot|unable|hardly"
    r"|fail(?:s|ed|ing)?(?= to\b)|lack(?:s|ed)?|refuse[ds]? to|impossible)\b|n['’]t\b",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(r"\b(?:not only|whether or not|not just|no less than|nothing but|no\. ?\d)", re.IGNORECASE)
_IMPLIED = re.compile(
    r"\b(?:lost|losing|loses?|missing|instead|rather than|too|until|prevent\w*|avoid\w*|exclu\w+|except|unless"
    r"|stop\w*|prohibit\w*|illegal|unlawful|unlikely|difficult|barely|silent|fail\w*|refus\w+|den(?:y|ied|ies)"
    r"|reject\w*|absen\w+|ended|free of|free from|un(?!i|der|til|less|it)\w{4,}"
    r"|in(?:valid|eligible|correct|sufficient)\w*"
    r"|dis(?:allow|agree|abled|qualif)\w*|other than)\b",
    re.IGNORECASE,
)
"""Words that may say what a negator says."""
_CLAUSE_END = re.compile(r"[,;:.!?()–—]|\b(?:but|although|though|because|while|whereas|until|so that|and)\b")
_SCOPE = 4
_CORE = 2


@dataclass(frozen=True, slots=True)
class Denial:
    """What a negator bears on."""

    core: frozenset[str]
    """The nearest stems after it, or before it where it ends its clause."""
    scope: frozenset[str]
    """More of them, with one before it."""


def find_denials(text: str) -> Iterator[Denial]:
    """Each negator of a text with the stems that it denies."""
    spared = [match.span() for match in _NO_DENIAL.finditer(text)]
    for negator in _NEGATOR.finditer(text):
        if any(start <= negator.start() < end for start, end in spared):
            continue
        before, after = _stems_before(text, negator.start()), _stems_after(text, negator.end())
        yield Denial(frozenset(after[:_CORE] or before[-_CORE:]), frozenset([*before[-1:], *after[:_SCOPE]]))


def _stems_before(text: str, end: int) -> tuple[str, ...]:
    """Those of the clause, as far as it goes before a place."""
    return stems_of(_CLAUSE_END.split(text[:end])[-1])


def _stems_after(text: str, start: int) -> tuple[str, ...]:
    clause_end = _CLAUSE_END.search(text, start + 1)
    return stems_of(text[start : clause_end.start() if clause_end else len(text)])


def implied_denials(text: str, but: frozenset[str]) -> frozenset[str]:
    """The stems beside words that may say what a negator says: `contact was lost`, `refused to open`.

    Args:
        text: where they are looked for.
        but: stems that the other sentence has itself: it doesn't put those words by a negator.
    """
    found: set[str] = set()
    for match in _IMPLIED.finditer(text):
        own = stems_of(match[0])
        if not own or own[0] not in but:
            found.update(_stems_before(text, match.start())[-_CORE:], _stems_after(text, match.end())[:_CORE])
    return frozenset(found)


def known_in(denial: Denial, told: frozenset[str]) -> bool:
    """Whether what is denied is told: one of its nearest words and at least half of the others, or related ones."""
    known = {stem for stem in denial.scope | denial.core if stem in told or has_related(stem, told)}
    return bool(known & denial.core) and 2 * len(known) >= len(denial.scope | denial.core)
