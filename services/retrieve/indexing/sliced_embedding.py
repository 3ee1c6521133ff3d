"""Embeds incoming documents: short ones together, long ones slice by slice.

Each slice of a long document is stored once it is embedded. A killed process loses a second or two of work, and the
next ingest of the same document resumes there. The database and the model are called in other threads.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Final

import numpy as np

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Vectors
from services.retrieve.corpus.writing import keep_slice, kept_slices
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.embedding.embedder import TextKind

SLICE: Final = 64  # windows of a slice; embedding them takes half a second on two cores (taste)

Windows = Sequence[Sequence[str]]
"""The texts that are embedded for each passage of a document: its windows, or stretches."""
Progress = Callable[[int, int], None]
"""Called with the number of a document in the list, from 0, and the number of its passages that are done."""


@dataclass(frozen=True, slots=True)
class SlicedEmbedding:
    """Embeds documents for a corpus."""

    corpus: Corpus
    embedder: BatchingEmbedder
    priority: int | None = None
    """See BatchingEmbedder."""

    async def embed(self, documents: Sequence[tuple[bytes, Windows]], progress: Progress) -> list[Vectors]:
        """The vectors of each document, one row per window; reports progress for long documents.

        Args:
            documents: the content digest and the texts of each.
            progress: called after each slice.

        Raises:
            Unavailable: the model failed or is being closed.
        """
        short = [window for _, windows in documents if not _is_long(windows) for window in _flat(windows)]
        rows = await self._vectors(short)
        vectors, start = list[Vectors](), 0
        for number, (content, windows) in enumerate(documents):
            if _is_long(windows):
                vectors.append(await self._in_slices(content, windows, partial(progress, number)))
                continue
            end = start + sum(map(len, windows))
            vectors.append(rows[start:end])
            start = end
        return vectors

    async def _in_slices(self, content: bytes, windows: Windows, progress: Callable[[int], None]) -> Vectors:
        width, texts = self.embedder.profile.width, _flat(windows)
        passage_ends, slices = np.fromiter(accumulate(map(len, windows)), np.int64), list[Vectors]()
        stored_slices = await asyncio.to_thread(self.corpus.read, kept_slices, content, width)
        for number, start in enumerate(range(0, len(texts), SLICE)):
            part = texts[start : start + SLICE]
            slices.append(await self._slice(content, number, part, stored_slices.get(number)))
            progress(int(np.searchsorted(passage_ends, start + len(part), side="right")))
        return np.concatenate(slices)

    async def _slice(self, content: bytes, number: int, texts: Sequence[str], stored_slice: Vectors | None) -> Vectors:
        if stored_slice is not None and len(stored_slice) == len(texts):
            return stored_slice
        vectors = await self._vectors(texts)
        await asyncio.wrap_future(self.corpus.write(keep_slice, content, number, vectors))
        return vectors

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        return (await self.embedder.embed(texts, TextKind.PASSAGE, self.priority)).astype(np.float16)


def _is_long(windows: Windows) -> bool:
    return sum(map(len, windows)) > SLICE


def _flat(windows: Windows) -> list[str]:
    return [window for passage in windows for window in passage]
