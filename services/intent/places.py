"""Ground the user's place in a question: `nearby`, `here`, `in this city` refer to the session's place.

If the session has no place, or the words may mean something else (`this city` after a city was mentioned), they are
left unchanged, with a note. No I/O of its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.spans import Span
from libs.contracts.understanding import Grounded, GroundedKind
from libs.language.topics.scope import Here
from services.intent.groundings import Grounding

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
    reader = _PlaceReader(Here.of(language), question, place, has_history)
    quotations = [match.span() for match in _QUOTED.finditer(question)]
    outside_quotations = [
        g for g in reader.groundings() if not any(start <= g.grounded.span.start < end for start, end in quotations)
    ]
    return tuple(sorted(outside_quotations, key=lambda grounding: grounding.grounded.span))


@dataclass(frozen=True, slots=True)
class _PlaceReader:
    """Reads the words for the user's place in one question."""

    words: Here
    question: str
    place: str
    has_history: bool

    def groundings(self) -> Iterator[Grounding]:
        """Yield all of them, unordered."""
        words = self.words
        near = list(words.near.finditer(self.question))
        yield from (self._grounding(match, words.near_place) for match in near)
        yield from self._nearby_things()
        yield from (self._grounding(match, words.in_place) for match in words.home.finditer(self.question))
        yield from self._here([match.span() for match in near])
        for match in words.this_place.finditer(self.question):
            yield self._grounding(match, words.this_place_place, self._doubt(match), preposition=match["preposition"])
        for match in words.this_place_itself.finditer(self.question):
            yield self._grounding(match, "{place}", self._doubt(match))

    def _nearby_things(self) -> Iterator[Grounding]:
        is_request = self.words.request.match(self.question) is not None
        for match in self.words.nearby_thing.finditer(self.question):
            article = match.groupdict().get("a") or ""
            if is_request or not article:
                yield self._grounding(match, self.words.nearby_thing_place, a=article)

    def _here(self, near_spans: Sequence[tuple[int, int]]) -> Iterator[Grounding]:
        words = self.words
        blocked_spans = [*near_spans, *(match.span() for match in words.not_a_place.finditer(self.question))]
        for match in words.here.finditer(self.question):
            is_free = not any(start < match.end() and match.start() < end for start, end in blocked_spans)
            if is_free and self._tells_where(match):
                preposition = (match["preposition"] or words.default_preposition).lower()
                yield self._grounding(match, words.here_place, preposition=preposition)

    def _tells_where(self, match: re.Match[str]) -> bool:
        """Whether this `here` means a place: it has a preposition, or ends its clause."""
        has_preposition = bool(match["preposition"] or match["inside"])
        return has_preposition or self.words.here_follows.match(self.question, match.end()) is not None

    def _doubt(self, match: re.Match[str]) -> str:
        """Return why a place may be another one than the user's; empty for no doubt."""
        return _SPOKEN_OF if self.has_history and self.words.demonstrative.fullmatch(match["which"]) else ""

    def _grounding(self, match: re.Match[str], template: str, doubt: str = "", **parts: str) -> Grounding:
        span = Span(match.start(), match.end())
        reason = doubt or ("" if self.place else _UNKNOWN)
        grounded = Grounded(GroundedKind.PLACE, match[0], span, "" if reason else self.place, reason or _BY_SESSION)
        return Grounding(grounded) if reason else Grounding(grounded, span, template.format(place=self.place, **parts))
