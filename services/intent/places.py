"""Ground the user's place in a question: `nearby`, `here`, `in this city` refer to the session's place.

If the session has no place, or the words may mean something else (`this city` after a city was mentioned), they are
left unchanged, with a note.
"""

import re
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from services.intent.groundings import Grounding

_NEAR = re.compile(
    r"\b(?:near(?:\s+to)?|close\s+to|around|close)\s+(?:here|me|us|by)\b"
    r"|\bin\s+(?:the|my|our)\s+(?:vicinity|neighbou?rhood)\b"
    r"|\bnearby(?!-)(?=\s*(?:[?.!,;]|\Z|in\b|on\b|at\b|and\b|or\b|that\b|which\b|with\b|today\b|now\b))",
    re.I,
)
_NEARBY_PLACE = re.compile(
    r"(?<!\bthe )\b(?P<a>a\s+)?nearby"
    r"(?=\s+(?:restaurant|museum|hotel|librar|hospital|clinic|park|shop|store|school|station|airport|office|"
    r"event|cit|town|village|beach|pharmac|bank|church|universit|observator|planetari|theat|cinema|caf|bar|doctor))",
    re.I,
)
"""Before other nouns, `nearby` may be relative to something else: `nearby galaxies`."""
_HERE = re.compile(
    r"\b(?:(?P<from>from|to|of|out\s+of|away\s+from)\s+|(?P<in>in|over|right|out|up|down)\s+)?here\b(?!['’]|-)", re.I
)
_THIS_PLACE = re.compile(
    r"\b(?P<in>in|of|from|to|near|around)\s+(?P<which>this|my|our)\s+"
    r"(?:city|town|village|country|state|county|province|region|area|district)\b",
    re.I,
)
_THIS_PLACE_ITSELF = re.compile(
    r"(?<!\bin )(?<!\bof )(?<!\bfrom )(?<!\bto )(?<!\bnear )(?<!\baround )"
    r"\b(?P<which>this|my|our)\s+(?:city|town|village|country|county|province|region)(?=\s*(?:[?.!,;]|\Z))",
    re.I,
)
_HOME = re.compile(r"(?<=\w )where\s+(?:I|we)\s+(?:live|am|are)(?=\s*(?:[?.!,;]|\Z))")
_REQUEST = re.compile(
    r"\s*(?:please\s+)?(?:find|show|recommend|suggest|name|(?:is|are)\s+there|i\s+need|i['’]m\s+looking\s+for|"
    r"where\s+(?:is|can|do))\b",
    re.I,
)
"""Openings after which `a nearby pharmacy` is near the user, not part of a story."""
_QUOTED = re.compile(r"(?<!\w)(?:'[^']*'|\"[^\"]*\"|‘[^’]*’|“[^”]*”)(?!\w)")
_NOT_A_PLACE = re.compile(
    r"\bhere\s+(?:is|are|comes?|goes|and\s+there|to\s+stay|we|i|you)\b|\bclick(?:ing)?\s+here\b|"
    r"\b(?:said|says?|mean(?:s|t)?|written|listed|shown|mentioned|described|stated|discuss\w*|talk\w*|question|point|"
    r"issue|case|quote\w*)\s+here\b",
    re.I,
)
_CLAUSE_END = re.compile(
    r"\s*(?:[?.!,;]|\Z|(?:in|on|at|now|today|yesterday|tomorrow|tonight|last|next|this|during|since|before|after|when|"
    r"while|between|until)\b)",
    re.I,
)
_UNKNOWN: Final = "left as it stands: the session names no place"
_SPOKEN_OF: Final = "left as it stands: it may be one that was spoken of before"
_BY_SESSION: Final = "the session's place"


def ground_places(question: str, place: str, *, has_history: bool) -> tuple[Grounding, ...]:
    """Find words that refer to the user's place.

    Args:
        question: the standalone question.
        place: the session's place; empty for unknown.
        has_history: whether there are earlier turns, which `this city` may refer to.
    """
    near_matches = list(_NEAR.finditer(question))
    blocked_spans = [match.span() for match in (*near_matches, *_NOT_A_PLACE.finditer(question))]
    groundings = [_grounding(match, place, f"near {place}") for match in near_matches]
    is_request = _REQUEST.match(question) is not None
    for match in _NEARBY_PLACE.finditer(question):
        if is_request or not match["a"]:
            groundings.append(_grounding(match, place, f"{match['a'] or ''}nearby (near {place})"))
    groundings += [_grounding(match, place, f"in {place}") for match in _HOME.finditer(question)]
    for match in _HERE.finditer(question):
        if _tells_where(question, match) and not any(
            start < match.end() and match.start() < end for start, end in blocked_spans
        ):
            groundings.append(_grounding(match, place, f"{(match['from'] or 'in').lower()} {place}"))
    for match in _THIS_PLACE.finditer(question):
        is_ambiguous = has_history and match["which"].lower() == "this"
        groundings.append(_grounding(match, place, f"{match['in']} {place}", _SPOKEN_OF if is_ambiguous else ""))
    for match in _THIS_PLACE_ITSELF.finditer(question):
        is_ambiguous = has_history and match["which"].lower() == "this"
        groundings.append(_grounding(match, place, place, _SPOKEN_OF if is_ambiguous else ""))
    quotations = [match.span() for match in _QUOTED.finditer(question)]
    outside_quotations = [
        g for g in groundings if not any(start <= g.grounded.span.start < end for start, end in quotations)
    ]
    return tuple(sorted(outside_quotations, key=lambda grounding: grounding.grounded.span))


def _tells_where(question: str, match: re.Match[str]) -> bool:
    """Whether this `here` means a place: it has a preposition, or ends its clause."""
    return bool(match["from"] or match["in"]) or _CLAUSE_END.match(question, match.end()) is not None


def _grounding(match: re.Match[str], place: str, words: str, doubt: str = "") -> Grounding:
    span = Span(match.start(), match.end())
    reason = doubt or ("" if place else _UNKNOWN)
    grounded = Grounded(GroundedKind.PLACE, match[0], span, "" if reason else place, reason or _BY_SESSION)
    return Grounding(grounded) if reason else Grounding(grounded, span, words)
