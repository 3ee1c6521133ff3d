"""Checks phrases that are easily invented: `the first to …`, `who …`, `because of …`, `… by …`.

A writer can attach such a phrase to correct words by guessing. It is supported only if the source has its verb, or
gives a reason where the phrase does.
"""

import re
from collections.abc import Sequence

from services.answer.lexicon.related_words import is_told
from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_UTMOST = re.compile(r"\b(?:first|last|only)\b[^,.;:]{0,40}?\bto (?P<verb>[a-z]{3,})\b")
_RELATIVE = re.compile(r", (?:who|which) (?P<verb>[a-z]{3,})\b")
_PASSIVE = re.compile(r"\b(?:was|were|is|are|been)\s+(?:\w+\s+){1,3}?by\b")
_STANDS_FOR = re.compile(r"\b(?:stands?|short) for (?P<tail>.+)")
_CLAUSE = re.compile(r", (?:but|and|while|who|which|where|when|although)\b|;")
_LEAST_OF_CLAUSE = 1
_REASON = re.compile(r"\b(?:because|due to|owing to|thanks to)\b", re.IGNORECASE)
_REASON_TOLD = re.compile(
    r"\b(?:because|due|owing|thanks|since|as|so|therefore|thus|hence|for|caus\w+|led|leads?|result\w*|reason\w*"
    r"|forced?|made|make\w*|when|if|mean\w*|prevent\w*|why|in order|after)\b|[:;–—]",
    re.IGNORECASE,
)


def predicates_told(claimed: Claims, told: Claims) -> bool:
    """Whether the source has the verb of each `first to …` and `, who …`, and a reason if the claim gives one."""
    if _REASON.search(claimed.text) and not _REASON_TOLD.search(told.text):
        return False
    verbs = [match["verb"] for match in _UTMOST.finditer(claimed.text)]
    verbs += [match["verb"] for match in _RELATIVE.finditer(claimed.text) if _is_past(match["verb"])]
    return all(is_told(stem, told.stems) for verb in verbs for stem in stems_of(verb))


def clauses_told(claimed: Claims, told: Sequence[Claims]) -> bool:
    """Whether one source sentence has both sides of `was … by …` and `stands for …`, and part of a date's clause.

    Args:
        claimed: the sentence.
        told: the source sentences, each parsed separately.
    """
    return _acted(claimed, told) and _spelled_out(claimed, told) and _dated(claimed, told)


def _acted(claimed: Claims, told: Sequence[Claims]) -> bool:
    passive = _PASSIVE.search(claimed.text)
    if passive is None:
        return True
    done_to = [name.text for name in claimed.names if name.end <= passive.start()][-1:]
    done_by = [name.text for name in claimed.names if name.start >= passive.end()][:1]
    names = done_to + done_by
    return (
        len(names) < 2
        or any(all(name in sentence.text for name in names) for sentence in told)
        or not all(any(name in sentence.text for sentence in told) for name in names)
    )


def _spelled_out(claimed: Claims, told: Sequence[Claims]) -> bool:
    said = _STANDS_FOR.search(claimed.text)
    tails = [match["tail"] for sentence in told if (match := _STANDS_FOR.search(sentence.text))]
    if said is None or not tails:
        return True
    wanted = frozenset(stems_of(said["tail"]))
    return any(2 * len(wanted & frozenset(stems_of(tail))) > len(wanted) for tail in tails)


def _dated(claimed: Claims, told: Sequence[Claims]) -> bool:
    if len(claimed.dates) != 1:
        return True
    (date,) = claimed.dates
    cuts = [match.start() for match in _CLAUSE.finditer(claimed.text)]
    start = max((cut for cut in cuts if cut < date.start), default=0)
    end = min((cut for cut in cuts if cut >= date.end), default=len(claimed.text))
    clause = frozenset(stems_of(claimed.undated[start:end])) - claimed.name_stems
    known = frozenset[str]().union(*(sentence.stems for sentence in told))
    alike = any(is_told(stem, known) for stem in clause)
    return not cuts or len(clause) < _LEAST_OF_CLAUSE or alike


def _is_past(word: str) -> bool:
    return word.endswith("ed") or word in base_forms()
