"""Sentences before they are compared: what is no part of their claim, and those that claim nothing about the world."""

import re

from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_LIST_MARK = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
_NEXT_MARK = re.compile(r"\s+\d{1,2}\.\Z")
"""The mark of the next item, where a list without verbs was cut into sentences."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|will|can|may|for|to|at|by)\b|\b\w+ed\b|\A\S+\s+\d"
)
_LEAD = re.compile(r"\A(?:yes|no|sure|okay|sorry|correct|indeed)\b[,.!:;]\s*", re.IGNORECASE)
_FILLERS = frozenset(
    stems_of("yes okay sorry sure correct true right wrong exactly thank thanks welcome hello please that's")
)
_SILENCE = re.compile(
    r"\b(?:documents?|passages?|sources?|information|context|details?|texts?)\b.{0,60}\b(?:do(?:es)? not|don't|doesn't"
    r"|not) (?:\w+ ){0,2}"
    r"(?:provide|contain|mention|specify|include|give|say|state|available|specified|mentioned|provided)"
    r"|\b(?:do(?:es)? not|don't|doesn't|cannot|can't) (?:\w+ ){0,2}(?:have|provide|find|contain|offer|give) "
    r"(?:\w+ ){0,4}(?:information|details?|answer|knowledge)\b|\bno (?:\w+ ){0,3}(?:information|details?|mention)\b"
    r"|\bI(?:'m| am) (?:not|un)\s?(?:aware|able|sure)|\bI (?:do not|don't|can't|cannot) (?:know|tell|say|answer)",
    re.IGNORECASE,
)
"""A sentence about what there is not to be read."""


def without_list_marks(sentence: str) -> str:
    """The sentence without the mark of its item or the next one, and without a `Yes,` before it."""
    bare = _LEAD.sub("", _LIST_MARK.sub("", sentence))
    if not _VERB.search(bare) and base_forms().keys().isdisjoint(bare.lower().split()):
        bare = _NEXT_MARK.sub("", bare)
    return bare or sentence


def beyond_comparison(claims: Claims) -> str | None:
    """Why a sentence can't be compared with passages: it says nothing, or that something can't be read there."""
    if not claims.stems - _FILLERS:
        return "It says nothing that could be compared with the passages."
    return "It tells what the passages don't say." if _SILENCE.search(claims.text) else None
