"""Passages as text and as rows."""

from dataclasses import dataclass, field

from parley.client.evaluation import EvaluationRow, SourceDocument, format_docs, ragas_sample
from parley.client.evaluation.documents import source_document
from parley.context.v1 import evidence_pb2


def reference(number: int, text: str, title: str = "") -> evidence_pb2.Reference:
    passage = evidence_pb2.Passage(
        passage_id=f"d{number}#1", document_id=f"d{number}", text=text, title=title, metadata={"by": "Ada"}
    )
    scores = evidence_pb2.EngineScores(fused=0.5)
    return evidence_pb2.Reference(number=number, evidence=evidence_pb2.Evidence(passage=passage, scores=scores))


@dataclass
class LangChainDocument:
    """As LangChain's are."""

    page_content: str
    metadata: dict[str, str] = field(default_factory=dict)


def document(number: int, text: str, title: str = "") -> SourceDocument:
    return source_document(reference(number, text, title))


def test_documents_are_numbered_and_titled() -> None:
    assert format_docs([document(3, "It landed.", "Phoenix"), document(5, "It dug.")]) == (
        "[3] Phoenix\nIt landed.\n\n[5] It dug."
    )


def test_documents_of_langchain_are_numbered_by_their_place() -> None:
    docs = [LangChainDocument("It landed.", {"title": "Phoenix"}), LangChainDocument("It dug.")]
    assert format_docs(docs) == "[1] Phoenix\nIt landed.\n\n[2] It dug."
    assert format_docs([]) == ""


def test_a_source_document_tells_where_it_comes_from() -> None:
    told = document(2, "It landed.", "Phoenix")
    assert (told["passage_id"], told["document_id"], told["score"], told["metadata"]) == (
        "d2#1",
        "d2",
        0.5,
        {"by": "Ada"},
    )


def test_a_row_for_ragas_has_what_is_known_of_the_right_answer_and_no_more() -> None:
    row: EvaluationRow = {
        "question": "When?",
        "answer": "In 2008.[1]",
        "contexts": ["It landed."],
        "source_documents": [document(1, "It landed.")],
        "metadata": {},  # type: ignore[typeddict-item]  # not read
    }
    sample = ragas_sample(row)
    assert sample == {
        "user_input": "When?",
        "response": "In 2008.[1]",
        "retrieved_contexts": ["It landed."],
        "retrieved_context_ids": ["d1#1"],
    }
    known = {"reference": "2008", "reference_contexts": ["x"], "reference_context_ids": ["d1#1"]}
    assert ragas_sample(row, "2008", ["x"], ["d1#1"]) == {**sample, **known}
