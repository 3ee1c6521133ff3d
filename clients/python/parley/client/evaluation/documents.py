"""Passages as plain values, as one text, and as a row for Ragas."""

from collections.abc import Sequence
from typing import Any

from parley.client.evaluation.results import EvaluationRow, RagasSample, SourceDocument
from parley.context.v1 import evidence_pb2


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
        page_content=passage.text,
        metadata=dict(passage.metadata),
    )


def format_docs(docs: Sequence[Any]) -> str:
    """Documents as one text for people and prompts: each with its number and, where it has one, its title.

    Takes `source_documents` and `retrieved_documents`, and LangChain's documents: what has a `page_content`. Those
    without a number are numbered by their place.
    """
    return "\n\n".join(_formatted(doc, place) for place, doc in enumerate(docs, start=1))


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


def _formatted(doc: Any, place: int) -> str:
    number, title = _field(doc, "number") or place, _field(doc, "title") or _title_of(_field(doc, "metadata"))
    head = f"[{number}] {title}\n" if title else f"[{number}] "
    return head + str(_field(doc, "page_content"))


def _field(doc: Any, name: str) -> Any:
    return doc.get(name) if isinstance(doc, dict) else getattr(doc, name, None)


def _title_of(metadata: Any) -> str:
    return str(metadata.get("title", "")) if isinstance(metadata, dict) else ""
