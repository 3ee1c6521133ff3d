"""Factories of engines: embedded, or servers that the settings name."""

from collections.abc import Callable, Set
from dataclasses import dataclass

from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.lexical import LexicalIndex
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.engines.vector import VectorIndex


def embedded_lexical(view: CollectionView) -> LexicalEngine:
    """A full-text index in the collection's folder."""
    return LexicalIndex(view.directory, view.identity)


def embedded_vector(view: CollectionView, width: int) -> VectorEngine:
    """Vectors in memory, graphs of neighbours in the collection's folder."""
    return VectorIndex(width, view.admitted, view.directory / "graphs", view.identity)


Sweep = Callable[[str, Set[int]], None]
"""Deletes from a server the data of a corpus (by its identity), except for the collections with these row numbers."""


@dataclass(frozen=True, slots=True)
class EngineMakers:
    """Open the engines of a collection. Each may raise Unavailable; the next search tries again."""

    lexical: Callable[[CollectionView], LexicalEngine] = embedded_lexical
    vector: Callable[[CollectionView, int], VectorEngine] = embedded_vector
    """Takes the width of the vectors."""
    lexical_patience: float | None = None
    """Seconds that a search waits for the engine to apply pending writes; None waits indefinitely."""
    vector_patience: float | None = None
    """The same for the vector engine."""
    sweeps: tuple[Sweep, ...] = ()
    """Called at startup and when collections change. Each may raise Unavailable; it is then called again."""

    @property
    def are_embedded(self) -> bool:
        """Whether no server is used."""
        return self.lexical is embedded_lexical and self.vector is embedded_vector
