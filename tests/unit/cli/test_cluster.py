"""What runs on a cluster, called as Ray calls it, and the command without Ray."""

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.ingest.cluster import job
from cli.ingest.cluster.job import with_later_ones_sent
from cli.ingest.cluster.workers import BulkWorker, StoredDocuments, WorkerOptions
from cli.ingest.sources import IngestOptions, Item, content_of, read
from ingest.documents import Unreadable
from ingest.sources.roots import Roots
from ingest.sources.walking import NamedFile, walk
from libs.contracts.wire.codec import from_message
from parley.retrieve.v1 import corpus_pb2
from services.retrieve.corpus.documents import Document
from services.retrieve.embedding.embedder import ModelProfile
from services.retrieve.embedding.onnx_graph import build_graph
from services.retrieve.indexing.passage_vectors import with_supplied_vectors
from services.retrieve.indexing.preparing import Preparation
from services.retrieve.settings import RetrieveSettings
from tests.fakes.tiny_bert import random_tensors, write_model
from tests.unit.cli.conftest import Run
from tests.unit.cli.ingesting import lines

MODEL = "tiny (centered)"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> RetrieveSettings:
    """Settings with a model of few weights."""
    data = tmp_path_factory.mktemp("cluster")
    folder = data / "models" / "tiny"
    write_model(folder, random_tensors())
    build_graph(folder, folder / "model.onnx")
    return RetrieveSettings(data=data, embedder="onnx:tiny", embedder_threads=1)


def document(**fields: Any) -> corpus_pb2.Document:
    return corpus_pb2.Document(**{"document_id": "moon", "title": "Moon", "text": "It circles.", **fields})


def options_of(settings: RetrieveSettings, embedder: str, reading: IngestOptions | None = None) -> WorkerOptions:
    return WorkerOptions(settings, embedder, reading or IngestOptions())


def embedded(
    options: WorkerOptions, *documents: corpus_pb2.Document, stored: StoredDocuments | None = None
) -> list[Any]:
    """What a worker makes of the documents of a file."""
    with closing(BulkWorker(options, stored or {})) as worker:
        assert worker.fault() == ""
        return worker.prepare([Item("a.md", None, document) for document in documents])


def test_a_worker_gives_what_the_command_line_reads(settings: RetrieveSettings, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Moon\n\nIt circles.\n")
    (tmp_path / "broken.txt").write_bytes(b"\xff\xfe\x00")
    lines(tmp_path / "two.jsonl", {"id": "a", "text": "One."}, {"id": "b", "text": "Two."})
    reading = IngestOptions(principals=("ann",))
    files = [file for file in walk([tmp_path], Roots()) if isinstance(file, NamedFile)]
    with closing(BulkWorker(options_of(settings, "", reading), {})) as worker:
        by_worker = [item for file in files for item in worker.read(content_of(file))]
    by_command = list(read([tmp_path], Roots(), reading))
    assert by_worker == by_command
    assert sum(isinstance(item, Unreadable) for item in by_command) == 1


def test_a_file_of_lines_is_split_into_tasks_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "BATCH_BYTES", 2 * document().ByteSize())
    read_items = [Item("a.jsonl", number, document()) for number in range(5)]
    assert [len(batch) for batch in job._batches(read_items)] == [2, 2, 1]


def test_a_stored_document_is_not_sent_unless_one_of_its_id_was_sent_before() -> None:
    rows = [("a", 2), ("b", 0), ("b", 3), ("a", 2), ("a", 0), ("a", 2)]
    read_items = [Item(name, None, document(document_id=name), passages) for name, passages in rows]
    marked = [item for item in with_later_ones_sent(read_items) if isinstance(item, Item)]
    assert [(item.where, item.stored_passages) for item in marked] == [*rows[:2], ("b", 0), *rows[3:5], ("a", 0)]


def test_a_worker_adds_the_vectors_that_the_suite_takes(settings: RetrieveSettings) -> None:
    (item,) = embedded(options_of(settings, MODEL), document())
    assert item.document.passage_vectors.model == MODEL
    width = len(item.document.passage_vectors.values) // 2
    profile = _profile(width)
    preparation = settings.preparation(profile)
    prepared_document = with_supplied_vectors(preparation.prepare(from_message(item.document, Document)), preparation)
    assert prepared_document.vectors is not None
    assert np.linalg.norm(prepared_document.vectors.astype(np.float32)) == pytest.approx(1, abs=1e-3)


def _profile(width: int) -> ModelProfile:
    return ModelProfile(MODEL, width)


@pytest.mark.parametrize("model", [MODEL, ""])
def test_a_stored_document_is_marked_and_only_another_is_embedded_if_there_is_a_model(
    settings: RetrieveSettings, model: str
) -> None:
    preparation = settings.preparation(_profile(8)) if model else Preparation(language="en")
    fingerprint = preparation.digests(from_message(document(), Document))[0]
    options = options_of(settings, model)
    same, changed = embedded(options, document(), document(title="Luna"), stored={"moon": (fingerprint, 4)})
    assert (same.stored_passages, same.document) == (4, document())
    assert changed.stored_passages == 0
    assert changed.document.HasField("passage_vectors") is bool(model)


@pytest.mark.parametrize(
    "fields",
    [{"text": " "}, {"date": "soon"}, {"whole": True, "vector": [1.0], "vector_model": MODEL}],
    ids=["empty", "to be refused", "with a vector"],
)
def test_what_needs_no_vectors_stays_as_it_is(settings: RetrieveSettings, fields: dict[str, Any]) -> None:
    (item,) = embedded(options_of(settings, MODEL), document(**fields))
    assert item.document == document(**fields)


@pytest.mark.parametrize(
    ("model", "embedder", "message"),
    [
        ("all-MiniLM-L6-v2", "onnx:tiny", f"The workers embed with {MODEL}, the suite with all-MiniLM-L6-v2"),
        (MODEL, "none", f"The workers embed with no model, the suite with {MODEL}"),
        (MODEL, "onnx:missing", "A worker cannot embed: PARLEY_RETRIEVE_EMBEDDER"),
    ],
)
def test_a_worker_without_a_model_says_so(settings: RetrieveSettings, model: str, embedder: str, message: str) -> None:
    options = options_of(settings.model_copy(update={"embedder": embedder}), model)
    with closing(BulkWorker(options, {})) as worker:
        assert worker.fault().startswith(message)


def test_without_ray_the_command_names_the_extra(
    gateway: Any, parley: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "find_spec", lambda name: None)
    (tmp_path / "note.md").write_text("Text.")
    result = parley("ingest", str(tmp_path), "--ray", "auto")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "The option --ray needs Ray: install the extra, such as pip install 'parley[ray]'.\n"


def test_vectors_and_a_cluster_exclude_each_other(
    gateway: Any, parley: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job, "find_spec", lambda name: object())
    file = lines(tmp_path / "one.jsonl", {"id": "a", "text": "One."})
    np.save(tmp_path / "v.npy", np.ones((1, 4), np.float32))
    arguments = ("--vectors", str(tmp_path / "v.npy"), "--vectors-model", MODEL, "--ray", "auto")
    result = parley("ingest", str(file), *arguments)
    assert result.exit_code == 1
    assert "give one of them" in result.stderr
    assert gateway.ingested == []
