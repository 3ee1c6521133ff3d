"""Ground the user's place in a question: `nearby`, `here`, `in this city` refer to the session's place.

If the session has no place, or the words may mean something else (`this city` after a city was mentioned), they are
left unchanged, with a note. No I/O of its own.
"""

import re
from collections.abc import Iterator
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.topics.questions import Here
from services.intent.grounding.groundings import Grounding

_QUOTED = re.compile(r"(?<!\w)(?:'[^']*'|\"[^\"]*\"|‘[^’]*’|“[^”]*”)(?!\w)")
_UNKNOWN: Final = "left as it stands: the session names no place"
_SPOKEN_OF: Final = "left as it stands: it may be one that was spoken of before"
_BY_SESSION: Final = "the session's place"


def ground_places(question: str, place: str, language: str, *, has_history: bool) -> tuple[Grounding, ...]:
    """Find words that refer to the user's place.

    Args:
        question: the standalone question.
        place: the session's place; empty for unknown.
        language: of the question, ISO 639-1.
        has_history: whether there are earlier turns, which `this city` may refer to.
    """
    groundings = []
    for kind, match in _phrases(question, Here.of(language)):
        groups = match.groupdict(default="")
        is_spoken_of = has_history and Here.of(language).demonstrative.fullmatch(groups.get("which", ""))
        reason = _SPOKEN_OF if is_spoken_of else "" if place else _UNKNOWN
        span = _span_of(match)
        grounded = Grounded(GroundedKind.PLACE, span.of(question), span, "" if reason else place, reason or _BY_SESSION)
        replacement = Here.of(language).places[kind].format(place=place, **groups)
        groundings.append(Grounding(grounded) if reason else Grounding(grounded, span, replacement))
    return tuple(sorted(groundings, key=lambda grounding: grounding.grounded.span))


def _phrases(question: str, words: Here) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the kind and match of each phrase outside quotations that overlaps none of a kind before it."""
    taken = [*map(_span_of, _QUOTED.finditer(question)), *map(_span_of, words.not_a_place.finditer(question))]
    for kind, pattern in words.phrases.items():
        for match in pattern.finditer(question):
            span = _span_of(match)
            if not any(other.start < span.end and span.start < other.end for other in taken):
                taken.append(span)
                yield kind, match


def _span_of(match: re.Match[str]) -> Span:
    """Where the words are that are replaced."""
    return Span(*match.span("words" if "words" in match.re.groupindex else 0))
