"""Passages as plain values, as one text, and as a row for Ragas, an evaluation tool. Pure functions."""

from collections.abc import Sequence
from typing import Any

from parley.client.evaluation.results import EvaluationRow, RagasSample, SourceDocument
from parley.context.v1 import evidence_pb2

BEST, GOOD = 2, 2
"""How many of the documents that nobody judged fit well, and how many of the next ones fit in part (taste)."""
UNKNOWN_SOURCE = "N/A"


def source_document(reference: evidence_pb2.Reference) -> SourceDocument:
    """A reference of an answer."""
    passage = reference.evidence.passage
    return SourceDocument(
        number=reference.number,
        passage_id=passage.passage_id,
        document_id=passage.document_id,
        title=passage.title,
        url=passage.url,
        date=passage.date,
        source=passage.source,
        score=reference.evidence.scores.fused,
        relevance=label_of(reference.evidence.relevance),
        page_content=passage.text,
        metadata=dict(passage.metadata),
    )


def format_docs(docs: Sequence[Any]) -> str:
    """Documents as one text for people and prompts: of each its number, how well it fits, its source and its words.

        --- DOCUMENT 1 (Relevance: High) ---
        Source: Phoenix (https://example.org/phoenix)
        Content: Phoenix landed on 25 May 2008.

    Takes `source_documents` and `retrieved_documents`, and LangChain's documents: what has a `page_content`, the best
    first. Those without a number are numbered by their place, and those that nobody judged fit by it: two are High,
    two Medium, the others Low. A document that says nothing of its source has `N/A` there.
    """
    return "\n\n".join(_format(doc, place) for place, doc in enumerate(docs, start=1))


def ragas_sample(
    row: EvaluationRow,
    reference: str | None = None,
    reference_contexts: Sequence[str] | None = None,
    reference_context_ids: Sequence[str] | None = None,
) -> RagasSample:
    """A row as Ragas names its fields, with what is known of the right answer.

    For `ragas.EvaluationDataset.from_list([ragas_sample(row, reference="25 May 2008"), …])`. The ids are passages'.
    """
    sample = RagasSample(
        user_input=row["question"],
        response=row["answer"],
        retrieved_contexts=row["contexts"],
        retrieved_context_ids=[document["passage_id"] for document in row["source_documents"]],
    )
    if reference is not None:
        sample["reference"] = reference
    if reference_contexts is not None:
        sample["reference_contexts"] = list(reference_contexts)
    if reference_context_ids is not None:
        sample["reference_context_ids"] = list(reference_context_ids)
    return sample


def label_of(relevance: evidence_pb2.Relevance.ValueType) -> str:
    """As people read it: High, Medium or Low; empty where the suite did not judge it."""
    name = evidence_pb2.Relevance.Name(relevance).removeprefix("RELEVANCE_")
    return "" if relevance == evidence_pb2.RELEVANCE_UNSPECIFIED else name.capitalize()


def _format(doc: Any, place: int) -> str:
    number, relevance = _field(doc, "number") or place, _field(doc, "relevance") or _relevance_at(place)
    head = f"--- DOCUMENT {number} (Relevance: {relevance}) ---"
    return f"{head}\nSource: {_source(doc)}\nContent: {_field(doc, 'page_content')}"


def _relevance_at(place: int) -> str:
    """Of a document that nobody judged, by its place among those that were found, from 1."""
    if place <= BEST:
        return "High"
    return "Medium" if place <= BEST + GOOD else "Low"


def _source(doc: Any) -> str:
    """What a reader knows a document by, in one line: title and address, else what its metadata say, else its id."""
    metadata = _field(doc, "metadata")
    fields = metadata if isinstance(metadata, dict) else {}
    title, url = _field(doc, "title"), _field(doc, "url")
    label = f"{title} ({url})" if title and url else title or url or fields.get("source") or fields.get("title")
    return " ".join(str(label or _field(doc, "document_id") or UNKNOWN_SOURCE).split())


def _field(doc: Any, name: str) -> Any:
    return doc.get(name) if isinstance(doc, dict) else getattr(doc, name, None)
