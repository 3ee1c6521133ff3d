"""Adds web passages to the candidates of a retrieval: one list that is fused, grouped, reranked and labelled alike.

Corpus passages have keys of 1 and more. Web passages get negative keys, which are valid within one retrieval only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from libs.contracts.evidence import Passage
from libs.contracts.usage import Degraded
from services.retrieve.search.hybrid import Candidates

Scores = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WebCandidates:
    """The scored web passages of one retrieval; empty if the web took no part."""

    passages: tuple[Passage, ...] = ()
    lexical: Scores = field(default_factory=lambda: np.zeros(0))
    cosines: Scores | None = None
    """None without an embedder."""
    vectors: Floats | None = None
    """Unit vectors, one row per passage."""
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

    An engine's scores count only if corpus and web both have them, because a list with two scores cannot be compared
    with one that has a single score. If the corpus has no candidates, the web's scores are unchanged.
    """
    if not len(web):
        return corpus
    alone = not len(corpus.keys)
    return Candidates(
        np.concatenate([web.keys, corpus.keys]),
        _concatenate(web.lexical, corpus.lexical, alone),
        _concatenate(web.cosines, corpus.vector, alone),
        corpus.degraded,
    )


def vectors_of(keys: NDArray[np.int64], corpus: Floats | None, web: WebCandidates) -> Floats | None:
    """The vectors of candidates in the order of their keys, zeros for one without; None if no candidate has any.

    Args:
        keys: keys of the corpus and of the web.
        corpus: the vectors of the collection's engine for `keys`, zeros in the rows of web passages.
        web: the candidates of the web.
    """
    if web.vectors is None or not len(web):
        return corpus
    width = web.vectors.shape[1]
    vectors = np.zeros((len(keys), width), np.float32) if corpus is None else corpus.copy()
    if vectors.shape[1] != width:  # vectors of different models cannot be compared
        return corpus
    is_web = keys < 0
    vectors[is_web] = web.vectors[keys[is_web] + len(web)]
    return vectors


def _concatenate(web: Scores | None, corpus: Scores | None, alone: bool) -> Scores | None:
    if alone:
        return web
    return None if web is None or corpus is None else np.concatenate([web, corpus])
