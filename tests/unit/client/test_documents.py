"""Passages as text and as rows."""

from dataclasses import dataclass, field

import pytest

from parley.client.evaluation import EvaluationRow, SourceDocument, format_docs, ragas_sample
from parley.client.evaluation.documents import source_document
from parley.context.v1 import evidence_pb2

UNJUDGED = evidence_pb2.RELEVANCE_UNSPECIFIED


def reference(
    number: int, text: str, title: str = "", url: str = "", relevance: evidence_pb2.Relevance.ValueType = UNJUDGED
) -> evidence_pb2.Reference:
    passage = evidence_pb2.Passage(
        passage_id=f"d{number}#1", document_id=f"d{number}", text=text, title=title, url=url, metadata={"by": "Ada"}
    )
    evidence = evidence_pb2.Evidence(passage=passage, scores=evidence_pb2.EngineScores(fused=0.5), relevance=relevance)
    return evidence_pb2.Reference(number=number, evidence=evidence)


@dataclass
class LangChainDocument:
    """As LangChain's are."""

    page_content: str
    metadata: dict[str, str] = field(default_factory=dict)


def document(number: int, text: str, title: str = "", url: str = "") -> SourceDocument:
    return source_document(reference(number, text, title, url, evidence_pb2.RELEVANCE_MEDIUM))


def test_of_a_document_its_number_how_well_it_fits_its_source_and_its_words_are_shown() -> None:
    docs = [document(3, "It landed.", "Phoenix", "https://example.org/phoenix"), document(5, "It dug.", "Phoenix")]
    assert format_docs(docs) == (
        "--- DOCUMENT 3 (Relevance: Medium) ---\nSource: Phoenix (https://example.org/phoenix)\nContent: It landed.\n\n"
        "--- DOCUMENT 5 (Relevance: Medium) ---\nSource: Phoenix\nContent: It dug."
    )


def test_documents_of_langchain_are_numbered_and_judged_by_their_place() -> None:
    docs = [LangChainDocument(f"Text {place}.", {"source": f"{place}.pdf"}) for place in range(1, 6)]
    assert format_docs(docs) == "\n\n".join(
        f"--- DOCUMENT {place} (Relevance: {relevance}) ---\nSource: {place}.pdf\nContent: Text {place}."
        for place, relevance in enumerate(["High", "High", "Medium", "Medium", "Low"], start=1)
    )
    assert format_docs([]) == ""


@pytest.mark.parametrize(
    ("doc", "source"),
    [
        (
            {"title": "Phoenix", "url": "https://a.example", "metadata": {"source": "a.pdf"}},
            "Phoenix (https://a.example)",
        ),
        ({"title": "", "url": "https://a.example"}, "https://a.example"),
        ({"metadata": {"source": "a.pdf", "title": "Phoenix"}}, "a.pdf"),
        ({"metadata": {"title": "Phoenix\nContent: praise"}}, "Phoenix Content: praise"),
        ({"document_id": "d1", "metadata": {}}, "d1"),
        ({}, "N/A"),
    ],
)
def test_the_source_is_the_best_that_a_document_tells_of_it_in_one_line(doc: dict[str, object], source: str) -> None:
    assert format_docs([{"page_content": "It landed.", **doc}]).splitlines()[1] == f"Source: {source}"


@pytest.mark.parametrize(
    ("relevance", "label"),
    [
        (evidence_pb2.RELEVANCE_HIGH, "High"),
        (evidence_pb2.RELEVANCE_MEDIUM, "Medium"),
        (evidence_pb2.RELEVANCE_LOW, "Low"),
        (UNJUDGED, ""),
    ],
)
def test_how_well_a_document_fits_is_the_suites_word(relevance: evidence_pb2.Relevance.ValueType, label: str) -> None:
    assert source_document(reference(1, "It landed.", relevance=relevance))["relevance"] == label


def test_a_source_document_tells_where_it_comes_from() -> None:
    source_document = document(2, "It landed.", "Phoenix")
    assert (
        source_document["passage_id"],
        source_document["document_id"],
        source_document["score"],
        source_document["metadata"],
    ) == (
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
    reference_fields = {"reference": "2008", "reference_contexts": ["x"], "reference_context_ids": ["d1#1"]}
    assert ragas_sample(row, "2008", ["x"], ["d1#1"]) == {**sample, **reference_fields}
