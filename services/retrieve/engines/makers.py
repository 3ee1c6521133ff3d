"""Which engines search: those of this process, or servers that the settings name."""

from collections.abc import Callable, Set
from dataclasses import dataclass

from services.retrieve.engines.home import EngineHome
from services.retrieve.engines.lexical import LexicalIndex
from services.retrieve.engines.protocols import LexicalEngine, VectorEngine
from services.retrieve.engines.vector import VectorIndex


def embedded_lexical(home: EngineHome) -> LexicalEngine:
    """A full-text index in the collection's folder."""
    return LexicalIndex(home.directory, home.identity)


def embedded_vector(home: EngineHome, width: int) -> VectorEngine:
    """Vectors in memory, graphs of neighbours in the collection's folder."""
    return VectorIndex(width, home.admitted, home.directory / "graphs", home.identity)


Sweep = Callable[[str, Set[int]], None]
"""Deletes from a server what was derived from a corpus (its identity) for any other collections than these rows."""


@dataclass(frozen=True, slots=True)
class EngineMakers:
    """Open the engines of a collection. Each may raise Unavailable; it is then asked again by the next search."""

    lexical: Callable[[EngineHome], LexicalEngine] = embedded_lexical
    vector: Callable[[EngineHome, int], VectorEngine] = embedded_vector
    """Takes the width of the vectors."""
    lexical_patience: float | None = None
    """Seconds that a search waits until the engine has taken in what was written; None: as long as it takes."""
    vector_patience: float | None = None
    """Likewise."""
    sweeps: tuple[Sweep, ...] = ()
    """Asked when collections came or went, and at the start. Each may raise Unavailable; it is then asked again."""

    @property
    def are_embedded(self) -> bool:
        """Whether no server is asked."""
        return self.lexical is embedded_lexical and self.vector is embedded_vector
