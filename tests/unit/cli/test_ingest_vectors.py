"""Vectors that come beside the documents: which line each goes with, and which are refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parley.context.v1 import usage_pb2
from tests.unit.cli.conftest import Run
from tests.unit.cli.ingesting import answer, lines


def matrix(path: Path, rows: int, width: int = 3, dtype: type = np.float32) -> Path:
    np.save(path, np.arange(1, rows * width + 1, dtype=dtype).reshape(rows, width))
    return path


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_row_i_of_the_vectors_goes_with_line_i(gateway: Any, parley: Run, tmp_path: Path, dtype: type) -> None:
    file = lines(tmp_path / "two.jsonl", {"id": "a", "text": "One."}, {"id": "b", "text": "Two."})
    vectors = matrix(tmp_path / "two.npy", 2, dtype=dtype)
    assert parley("ingest", str(file), "--vectors", str(vectors), "--vectors-model", "e5").exit_code == 0
    documents_sent = [(list(document.vector), document.vector_model, document.whole) for document in gateway.ingested]
    assert documents_sent == [([1, 2, 3], "e5", True), ([4, 5, 6], "e5", True)]


def test_the_row_of_an_empty_text_is_skipped_with_it(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "two.jsonl", {"id": "a", "text": " "}, {"id": "b", "text": "Two."})
    vectors = matrix(tmp_path / "two.npy", 2)
    parley("ingest", str(file), "--vectors", str(vectors), "--vectors-model", "e5")
    documents_sent = {document.document_id: list(document.vector) for document in gateway.ingested}
    assert documents_sent == {"a": [], "b": [4, 5, 6]}


def test_the_vectors_model_is_the_suites_embedder_when_none_is_named(gateway: Any, parley: Run, tmp_path: Path) -> None:
    stage = gateway.info.stages.add(stage=usage_pb2.STAGE_RETRIEVE, serving=True)
    stage.info.capabilities.add(task="embed", engine="onnx", detail="all-MiniLM-L6-v2")
    file = lines(tmp_path / "one.jsonl", {"id": "a", "text": "One."})
    parley("ingest", str(file), "--vectors", str(matrix(tmp_path / "one.npy", 1)))
    assert gateway.ingested[0].vector_model == "all-MiniLM-L6-v2"


def test_vectors_of_the_wrong_width_are_refused_by_the_first_of_them(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "many.jsonl", *({"id": str(n), "text": "Text." if n else ""} for n in range(100)))
    gateway.acknowledge = lambda document: answer(
        document, "FAILED", "VECTOR_WIDTH_MISMATCH", "document.vector: has 3 values, e5 makes 384"
    )
    vectors = matrix(tmp_path / "many.npy", 100)
    result = parley("ingest", str(file), "--vectors", str(vectors), "--vectors-model", "e5")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        "The vectors of many.npy do not fit: document.vector: has 3 values, e5 makes 384 (VECTOR_WIDTH_MISMATCH). "
        "Nothing was written.\n"
    )
    assert [document.document_id for document in gateway.ingested] == ["1"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("two.jsonl", "--vectors", "three.npy"), "3 vectors for the 2 lines of two.jsonl"),
        (("two.jsonl", "--vectors", "two.jsonl"), "is not a readable .npy file"),
        (("two.jsonl", "--vectors", "whole.npy"), "must be a matrix of float16 or float32"),
        (("two.jsonl", "--vectors", "objects.npy"), "is not a readable .npy file"),
        (("two.jsonl", "two.jsonl", "--vectors", "two.npy"), "needs one .jsonl file"),
        (("note.txt", "--vectors", "two.npy"), "needs one .jsonl file"),
        (("two.jsonl", "--vectors", "two.npy"), "with --vectors-model"),
        (("missing.jsonl", "--vectors", "two.npy"), "No such file"),
    ],
)
def test_vectors_that_cannot_belong_are_refused_in_a_line(
    gateway: Any,
    parley: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "two.jsonl", {"id": "a", "text": "One."}, {"id": "b", "text": "Two."})
    (tmp_path / "note.txt").write_text("A note.")
    matrix(tmp_path / "two.npy", 2)
    matrix(tmp_path / "three.npy", 3)
    matrix(tmp_path / "whole.npy", 2, dtype=np.int32)
    np.save(tmp_path / "objects.npy", np.array([[None]]), allow_pickle=True)
    result = parley("ingest", *arguments)
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert gateway.ingested == []
