"""Prepares sentences for comparison: strips what is not part of the claim and detects sentences without a claim."""

import re
from typing import Final

from libs.language.topics.follow_ups import Remarks
from services.answer.lexicon.verbs import base_forms
from services.answer.lexicon.words import stems_of
from services.answer.verification.claims import Claims

_LIST_MARK: Final = re.compile(r"\A(?:\d{1,2}[.)]|[-*•])\s+")
_NEXT_MARK: Final = re.compile(r"(?<!\s)\s++\d{1,2}\.\Z")
"""The marker of the next item, left over when a list without verbs is split into sentences."""
_ITEM_ALONE: Final = re.compile(r"\A[A-ZÀ-ÖØ-Þ][^\W\d_]+ \d{1,2}\.\Z")
"""`Infection 6.` in such a list."""
_MARK_AFTER_END: Final = re.compile(r"(?<=[:.!?;)\]])\s+\d{1,2}\.\Z")
MOST_FIGURES: Final = 60
"""Maximum numbers and dates of a sentence; each is compared with all those of a source."""
_HEADING: Final = re.compile(r"\A[\w'’&/-]++(?:[ ,]++[\w'’&/-]++){0,3}[ ,]*+:\Z")


def without_list_marks(sentence: str, language: str) -> str:
    """Return the sentence without list markers and without a leading `Yes,`."""
    if _ITEM_ALONE.match(sentence):
        return _NEXT_MARK.sub("", sentence)
    remarks = Remarks.of(language)
    bare = _MARK_AFTER_END.sub("", remarks.lead.sub("", _LIST_MARK.sub("", sentence)))
    if not remarks.verb.search(bare) and base_forms(language).keys().isdisjoint(bare.lower().split()):
        bare = _NEXT_MARK.sub("", bare)
    return bare or sentence


def beyond_comparison(claims: Claims) -> str | None:
    """Return why a sentence cannot be compared with passages; None if it can.

    It makes no claim, lacks information, or has so many numbers and dates that it is a table.
    """
    if len(claims.quantities) + len(claims.dates) > MOST_FIGURES:
        return "It has too many numbers to be compared with the passages."
    remarks = Remarks.of(claims.language)
    if not claims.stems.difference(stems_of(" ".join(remarks.fillers), claims.language)):
        return "It says nothing that could be compared with the passages."
    if remarks.speech.search(claims.text):
        return "It speaks to the reader and claims nothing."
    if _HEADING.match(claims.text) and not claims.quantities:
        return "It only announces what follows."
    return "It tells what the passages don't say." if remarks.silence.search(claims.text) else None
