"""Merged passages: what the evidence holds of a document, put together from its overlapping passages.

Passages may overlap, so the same sentence may stand in two of them, and one that is cut off in a passage may be whole
once its neighbour is laid against it. A merged passage has it once; `cite` says which passage shows it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.spans import Span
from libs.contracts.timeline import EventSource
from libs.text.sentences import Sentence, split_sentences
from services.timeline.places import Place, place_at, places_in

LONGEST_SENTENCE = 1000
"""Characters; what is longer is a table or a list without stops."""
_WIDEST_GAP = 4
"""Characters between neighbours that can hold nothing but white space or a list mark."""
_MARK = re.compile(r"\A\s*\(?\d{1,3}[.)]")
"""The number of an item."""
_STOPPED = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*(?:\[\d{1,3}\])*\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage within a merged one: where it begins in the merged text, and its place in the ranking (1 is best)."""

    passage: Passage
    rank: int
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the merged text."""
        return self.start + len(self.passage.text)


@dataclass(frozen=True, slots=True)
class MergedPassage:
    """Consecutive text of one document, and the passages that it stands in, in the order of the text."""

    text: str
    pieces: tuple[Piece, ...]
    sentences: tuple[Sentence, ...]
    """Those that stand here whole, where events may be told."""
    places: tuple[Place, ...] = ()
    """What the text is made of."""

    @classmethod
    def of(cls, text: str, pieces: Sequence[Piece]) -> Self:
        """Split the text that the pieces make together into sentences."""
        found = split_sentences(text)
        from_start = pieces[0].passage.span.start == 0
        whole = (
            s for i, s in enumerate(found) if len(s.text) <= LONGEST_SENTENCE and _is_whole(text, found, i, from_start)
        )
        places = tuple(place.moved(piece.start) for piece in pieces for place in places_in(piece.passage))
        merged = cls(text, tuple(pieces), (), places)
        return replace(merged, sentences=tuple(s for s in whole if merged.place_of(s).tells))

    def place_of(self, sentence: Sentence) -> Place:
        """Where a sentence of it stands."""
        return place_at(self.places, sentence.start, Place(headings=self.passage.headings))

    def begins_line(self, sentence: Sentence) -> bool:
        """Whether nothing but marks stands before a sentence in its line, as before the first one of an item."""
        line = self.text.rfind("\n", 0, sentence.start) + 1
        return not any(character.isalnum() for character in _MARK.sub("", self.text[line : sentence.start]))

    @property
    def passage(self) -> Passage:
        """The first passage, for what it tells of the document."""
        return self.pieces[0].passage

    @property
    def begins_document(self) -> bool:
        """Whether the document begins here."""
        return self.passage.span.start == 0

    def cite(self, sentence: Span, words: Span) -> tuple[Piece, EventSource] | None:
        """The passage that shows a sentence best, with the words it shows; both spans are of the merged text.

        Best is: holds `words`, shows most of the sentence, ranks highest. None when no passage holds `words`.
        """
        holding = [piece for piece in self.pieces if piece.start <= words.start and words.end <= piece.end]
        if not holding:
            return None
        best = max(holding, key=lambda piece: (_shown(piece, sentence), -piece.rank))
        return best, _source(best, sentence)


def _is_whole(text: str, found: Sequence[Sentence], position: int, from_start: bool) -> bool:
    sentence = found[position]
    if sentence.start == 0 and not from_start and sentence.text[0].islower():
        return False
    if sentence.end < len(text.rstrip()) or _STOPPED.search(sentence.text):
        return True
    # No full stop at the very end: whole in a list or a single line, else cut off by the end of the passage.
    return not _STOPPED.search(found[position - 1].text) if position else from_start


def _shown(piece: Piece, sentence: Span) -> int:
    return min(piece.end, sentence.end) - max(piece.start, sentence.start)


def _source(piece: Piece, sentence: Span) -> EventSource:
    text = piece.passage.text
    start, end = max(0, sentence.start - piece.start), min(len(text), sentence.end - piece.start)
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    end -= len(part) - len(part.rstrip())
    return EventSource(piece.passage.passage_id, piece.passage.document_id, Span(start, end), text[start:end])


def merge_passages(evidence: Iterable[Evidence]) -> list[list[MergedPassage]]:
    """The merged passages of each document in the order of its text; documents in the order of their best passage.

    Near duplicates are evidence too, with the rank of the passage that they hang on.
    """
    ranked: dict[str, tuple[Passage, int]] = {}
    for passage, rank in _ranked_passages(evidence):
        ranked.setdefault(passage.passage_id, (passage, rank))
    documents: dict[tuple[str, str], list[tuple[Passage, int]]] = defaultdict(list)
    for passage, rank in ranked.values():
        documents[passage.collection, passage.document_id].append((passage, rank))
    return [list(_join(passages)) for passages in documents.values()]


def _ranked_passages(evidence: Iterable[Evidence]) -> list[tuple[Passage, int]]:
    found = []
    for position, item in enumerate(evidence, start=1):
        rank = item.rank or position
        found += [(item.passage, rank)] + [(near.passage, rank) for near in item.near_duplicates]
    return sorted(found, key=lambda pair: pair[1])


def _join(passages: list[tuple[Passage, int]]) -> Iterator[MergedPassage]:
    text, pieces = "", list[Piece]()
    for passage, rank in sorted(passages, key=lambda pair: (pair[0].span, pair[1])):
        start = passage.span.start - pieces[0].passage.span.start if pieces else 0
        if pieces and not _continues(text, passage, start):
            yield MergedPassage.of(text, pieces)
            text, pieces, start = "", [], 0
        gap = start - len(text)
        text += (" " if gap == 1 else "\n" * gap) + passage.text[max(0, -gap) :]
        pieces.append(Piece(passage, rank, start))
    if pieces:
        yield MergedPassage.of(text, pieces)


def _continues(text: str, passage: Passage, start: int) -> bool:
    """Whether the passage goes on where `text` ends: overlaps it with the same words, or follows at once."""
    told_where = passage.span.end - passage.span.start == len(passage.text)
    shared = text[start : start + len(passage.text)]
    return told_where and start <= len(text) + _WIDEST_GAP and passage.text.startswith(shared)
