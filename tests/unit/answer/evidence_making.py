"""Short ways to make references for tests."""

from libs.contracts.evidence import EngineScores, Evidence, Passage, Reference
from libs.contracts.spans import Span


def passage(text: str, document: str = "doc", title: str = "", start: int = 0) -> Passage:
    """A passage that stands at `start` in its document."""
    return Passage(f"{document}#{start}", document, text, title=title, span=Span(start, start + len(text)))


def reference(
    number: int,
    text: str,
    document: str = "",
    title: str = "",
    start: int = 0,
    nodes: tuple[str, ...] = (),
    cosine: float | None = None,
) -> Reference:
    """A reference to a passage of a document of its own, where none is named."""
    source_passage = passage(text, document or f"doc{number}", title, start)
    scores = EngineScores(vector=cosine, fused=1 / number)
    return Reference(number, Evidence(source_passage, scores, rank=number, nodes=nodes))
