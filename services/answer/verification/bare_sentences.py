"""Prepares sentences for comparison: strips what is not part of the claim and detects sentences without a claim."""

import re

from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_LIST_MARK = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
_NEXT_MARK = re.compile(r"\s+\d{1,2}\.\Z")
"""The marker of the next item, left over when a list without verbs is split into sentences."""
_ITEM_ALONE = re.compile(r"\A[A-Z][a-z]+s? \d{1,2}\.\Z")
"""`Infection 6.` in such a list."""
_MARK_AFTER_END = re.compile(r"(?<=[:.!?;)\]])\s+\d{1,2}\.\Z")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|will|can|may|for|to|at|by)\b|\b\w+ed\b|\A\S+\s+\d"
)
_LEAD = re.compile(r"\A(?:yes|no|sure|okay|sorry|correct|indeed)\b[,.!:;]\s*", re.IGNORECASE)
_FILLERS = frozenset(
    stems_of("yes okay sorry sure correct true right wrong exactly thank thanks welcome hello please that's")
)
_SILENCE = re.compile(
    r"\b(?:documents?|passages?|sources?|information|context|details?|texts?)\b.{0,60}\b(?:do(?:es)? not|don't|doesn't"
    r"|not|neither) (?:\w+ ){0,2}"
    r"(?:provides?|contain|list|mention|specify|include|give|say|state|available|specified|mentioned|provided)"
    r"|\b(?:do(?:es)? not|don't|doesn't|cannot|can't) (?:\w+ ){0,2}(?:have|provide|find|contain|offer|give) "
    r"(?:\w+ ){0,4}(?:information|details?|answer|knowledge|data|figures?|count)\b"
    r"|\bnot (?:\w+ ){0,2}(?:specified|mentioned|provided|given|stated|described|covered) (?:\w+ ){0,4}"
    r"(?:documents?|passages?|sources?|context|texts?)\b|\bno (?:\w+ ){0,3}(?:information|details?|mention)\b"
    r"|\bI(?:'m| am) (?:not|un)\s?(?:aware|able|sure)"
    r"|\bI (?:do not|don't|can't|can ?not) (?:\w+ )?(?:know|tell|say|answer|address|provide|have|find|give|confirm)\b",
    re.IGNORECASE,
)
"""A sentence that says the information is missing."""


_SPEECH = re.compile(
    r"\AI(?:['’]m| am|['’]d| would|['’]ll| will)?(?: be)?(?: deeply| truly)? (?:apologi[sz]e|sorry|understand"
    r"|hope|happy|glad|help|recommend|suggest)\b|\b(?:let me know|feel free to|glad to help|happy to)\b"
    r"|\bif you have (?:any|further|more|other)\b.{0,30}\bquestions\b|\A(?:you['’]re welcome|of course)\b",
    re.IGNORECASE,
)
"""Conversational remarks addressed to the reader."""
_HEADING = re.compile(r"\A(?:[\w'’&/-]+[ ,]*){1,4}:\Z")


def without_list_marks(sentence: str) -> str:
    """Return the sentence without list markers and without a leading `Yes,`."""
    if _ITEM_ALONE.match(sentence):
        return _NEXT_MARK.sub("", sentence)
    bare = _MARK_AFTER_END.sub("", _LEAD.sub("", _LIST_MARK.sub("", sentence)))
    if not _VERB.search(bare) and base_forms().keys().isdisjoint(bare.lower().split()):
        bare = _NEXT_MARK.sub("", bare)
    return bare or sentence


def beyond_comparison(claims: Claims) -> str | None:
    """Return why a sentence cannot be compared with passages (no claim, or missing information); None if it can."""
    if not claims.stems - _FILLERS:
        return "It says nothing that could be compared with the passages."
    if _SPEECH.search(claims.text):
        return "It speaks to the reader and claims nothing."
    if _HEADING.match(claims.text) and not claims.quantities:
        return "It only announces what follows."
    return "It tells what the passages don't say." if _SILENCE.search(claims.text) else None
