"""Merged passages: consecutive text of a document, assembled from its passages in the evidence.

Passages may overlap, so the same sentence may occur in two of them, and a sentence cut off in one passage may become
complete with the next one. A merged passage contains it once; `cite` returns the passage that shows it. No I/O.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from libs.contracts.evidence import Evidence, Passage
from libs.contracts.spans import Span
from libs.contracts.timeline import EventSource
from libs.language.known import ENGLISH
from libs.text.sentences import Sentence, split_sentences
from services.timeline.reading.foreign_lines import is_foreign
from services.timeline.reading.text_blocks import TextBlock, block_at, blocks_in

MAX_SENTENCE = 1000
"""Characters; longer text is a table, or a list without full stops (taste)."""
_WIDEST_GAP = 4
"""Characters between neighbouring passages that can only be white space or a list mark (taste)."""
_MARK = re.compile(r"\A\s*\(?\d{1,3}[.)]")
"""The number of an item, of three digits like that of a note below (taste)."""
_STOPPED = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*(?:\[\d{1,3}\])*\Z")


@dataclass(frozen=True, slots=True)
class PassagePiece:
    """A passage within a merged one: its start in the merged text, and its rank (1 is best)."""

    passage: Passage
    rank: int
    start: int

    @property
    def end(self) -> int:
        """Its end in the merged text."""
        return self.start + len(self.passage.text)


@dataclass(frozen=True, slots=True)
class MergedPassage:
    """Consecutive text of one document, and the passages that contain it, in the order of the text."""

    text: str
    pieces: tuple[PassagePiece, ...]
    sentences: tuple[Sentence, ...]
    """The complete sentences in blocks that may describe events."""
    blocks: tuple[TextBlock, ...] = ()
    """The blocks of the text."""

    @classmethod
    def of(cls, text: str, pieces: Sequence[PassagePiece]) -> Self:
        """Create it from the pieces and their joined text, which is split into sentences."""
        all_sentences = split_sentences(text, pieces[0].passage.language or ENGLISH)
        from_start = pieces[0].passage.span.start == 0
        complete = (
            sentence
            for position, sentence in enumerate(all_sentences)
            if len(sentence.text) <= MAX_SENTENCE
            and _is_whole(text, all_sentences, position, from_start)
            and not is_foreign(sentence.text)
        )
        blocks = tuple(block.shifted(piece.start) for piece in pieces for block in blocks_in(piece.passage))
        merged_passage = cls(text, tuple(pieces), (), blocks)
        return replace(
            merged_passage,
            sentences=tuple(sentence for sentence in complete if merged_passage.block_of(sentence).tells),
        )

    def block_of(self, sentence: Sentence) -> TextBlock:
        """Return the block that contains a sentence."""
        return block_at(self.blocks, sentence.start, TextBlock(headings=self.passage.headings))

    def begins_line(self, sentence: Sentence) -> bool:
        """Whether only marks precede a sentence on its line, as for the first sentence of a list item."""
        line = self.text.rfind("\n", 0, sentence.start) + 1
        return not any(character.isalnum() for character in _MARK.sub("", self.text[line : sentence.start]))

    @property
    def passage(self) -> Passage:
        """The first passage, which holds the metadata of the document."""
        return self.pieces[0].passage

    @property
    def language(self) -> str:
        """The document's language, English if unknown; ISO 639-1."""
        return self.passage.language or ENGLISH

    @property
    def begins_document(self) -> bool:
        """Whether the document begins here."""
        return self.passage.span.start == 0

    def cite(self, sentence: Span, words: Span) -> tuple[PassagePiece, EventSource] | None:
        """Return the passage that shows a sentence best, with the quoted text; both spans are in the merged text.

        The best passage contains `words`, shows most of the sentence and ranks highest. Return None if no passage
        contains `words`.
        """
        candidates = [piece for piece in self.pieces if piece.start <= words.start and words.end <= piece.end]
        if not candidates:
            return None
        start, end = sentence.start, sentence.end
        best = max(candidates, key=lambda piece: (min(piece.end, end) - max(piece.start, start), -piece.rank))
        return best, _source(best, sentence)


def _is_whole(text: str, sentences: Sequence[Sentence], position: int, from_start: bool) -> bool:
    sentence = sentences[position]
    if sentence.start == 0 and not from_start and sentence.text[0].islower():
        return False
    if sentence.end < len(text.rstrip()) or _STOPPED.search(sentence.text):
        return True
    # Without a full stop at the very end: complete in a list or a single line, else cut off by the end of the passage.
    return not _STOPPED.search(sentences[position - 1].text) if position else from_start


def _source(piece: PassagePiece, sentence: Span) -> EventSource:
    text = piece.passage.text
    start, end = max(0, sentence.start - piece.start), min(len(text), sentence.end - piece.start)
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    end -= len(part) - len(part.rstrip())
    return EventSource(piece.passage.passage_id, piece.passage.document_id, Span(start, end), text[start:end])


def merge_passages(evidence: Iterable[Evidence]) -> list[list[MergedPassage]]:
    """Return the merged passages of each document in text order; documents are ordered by their best passage.

    Near duplicates are evidence too, with the rank of the passage they belong to.
    """
    passages_by_id: dict[str, tuple[Passage, int]] = {}
    for passage, rank in _ranked_passages(evidence):
        passages_by_id.setdefault(passage.passage_id, (passage, rank))
    documents: dict[tuple[str, str], list[tuple[Passage, int]]] = defaultdict(list)
    for passage, rank in passages_by_id.values():
        documents[passage.collection, passage.document_id].append((passage, rank))
    return [list(_join(passages)) for passages in documents.values()]


def _ranked_passages(evidence: Iterable[Evidence]) -> list[tuple[Passage, int]]:
    passages = []
    for position, item in enumerate(evidence, start=1):
        rank = item.rank or position
        passages += [(item.passage, rank)] + [(duplicate.passage, rank) for duplicate in item.near_duplicates]
    return sorted(passages, key=lambda pair: pair[1])


def _join(passages: list[tuple[Passage, int]]) -> Iterator[MergedPassage]:
    text, pieces = "", list[PassagePiece]()
    for passage, rank in sorted(passages, key=lambda pair: (pair[0].span, pair[1])):
        start = passage.span.start - pieces[0].passage.span.start if pieces else 0
        if pieces and not _continues(text, passage, start):
            yield MergedPassage.of(text, pieces)
            text, pieces, start = "", [], 0
        gap = start - len(text)
        text += (" " if gap == 1 else "\n" * gap) + passage.text[max(0, -gap) :]
        pieces.append(PassagePiece(passage, rank, start))
    if pieces:
        yield MergedPassage.of(text, pieces)


def _continues(text: str, passage: Passage, start: int) -> bool:
    """Whether the passage continues `text`: it overlaps with the same words, or follows directly."""
    told_where = passage.span.end - passage.span.start == len(passage.text)
    common_text = text[start : start + len(passage.text)]
    return told_where and start <= len(text) + _WIDEST_GAP and passage.text.startswith(common_text)
