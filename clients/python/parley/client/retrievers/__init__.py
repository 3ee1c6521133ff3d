"""The suite's search as retriever of frameworks; each module needs the packages of its framework."""

from typing import Any

from parley.client.values import Passage


def metadata_of(passage: Passage) -> dict[str, Any]:
    """What a framework is told of a passage beside its text; what the document brought along has its own names."""
    return {
        **passage.metadata,
        "passage_id": passage.passage_id,
        "document_id": passage.document_id,
        "collection": passage.collection,
        "title": passage.title,
        "section": " > ".join(passage.headings),
        "url": passage.url,
        "date": passage.date,
        "page": passage.page,
        "score": passage.score,
    }
