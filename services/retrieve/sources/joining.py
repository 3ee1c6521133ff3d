"""Passages of the web among the candidates of a retrieval: one list, fused, grouped, reranked and labelled alike.

Passages of the corpus have keys of 1 and more; those of the web get negative ones, which mean something within one
retrieval only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.contracts.usage import Degraded
from services.retrieve.hybrid import Candidates

Scores = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WebCandidates:
    """What the web gave for one retrieval, scored; empty where it took no part."""

    passages: tuple[Passage, ...] = ()
    lexical: Scores = field(default_factory=lambda: np.zeros(0))
    cosines: Scores | None = None
    """None without an embedder."""
    vectors: Floats | None = None
    """Unit vectors, one row a passage."""
    degraded: tuple[Degraded, ...] = ()

    def __len__(self) -> int:
        return len(self.passages)

    @property
    def keys(self) -> NDArray[np.int64]:
        """Ascending: -n for the first passage, -1 for the last."""
        return np.arange(-len(self), 0, dtype=np.int64)

    @property
    def by_key(self) -> Mapping[int, Passage]:
        """The passages by their keys."""
        return dict(zip(self.keys.tolist(), self.passages, strict=True))


def join(corpus: Candidates, web: WebCandidates) -> Candidates:
    """All candidates, keys ascending.

    An engine's scores count only where both have them: a list ranked by two scores and one ranked by a single one do
    not compare. Where the corpus gave nothing the web's stand as they are.
    """
    if not len(web):
        return corpus
    alone = not len(corpus.keys)
    return Candidates(
        np.concatenate([web.keys, corpus.keys]),
        _joined(web.lexical, corpus.lexical, alone),
        _joined(web.cosines, corpus.vector, alone),
        corpus.degraded,
    )


def vectors_of(keys: NDArray[np.int64], corpus: Floats | None, web: WebCandidates) -> Floats | None:
    """The vectors of candidates in the order of their keys, zeros for one that has none; None where nobody has any.

    Args:
        keys: of the corpus and of the web.
        corpus: what the collection's engine gives for `keys`, zeros in the rows of the web's.
        web: what the web gave.
    """
    if web.vectors is None or not len(web):
        return corpus
    width = web.vectors.shape[1]
    vectors = np.zeros((len(keys), width), np.float32) if corpus is None else corpus.copy()
    if vectors.shape[1] != width:  # another model's: they do not compare
        return corpus
    ours = keys < 0
    vectors[ours] = web.vectors[keys[ours] + len(web)]
    return vectors


def _joined(web: Scores | None, corpus: Scores | None, alone: bool) -> Scores | None:
    if alone:
        return web
    return None if web is None or corpus is None else np.concatenate([web, corpus])
