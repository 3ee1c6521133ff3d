"""What runs on a cluster, called as Ray calls it, and the command without Ray."""

import pickle
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from cli.ingest.cluster import connection
from cli.ingest.cluster.rows import FileEnd, Row, WorkerFault, packed_rows, unpacked_rows
from cli.ingest.cluster.workers import EmbeddingOptions, FileReader, PassageEmbedder, ReadingOptions, StoredDocuments
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
from tests.unit.cli.ingesting import Run, lines


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


def embedded(
    options: EmbeddingOptions, *documents: corpus_pb2.Document, stored: StoredDocuments | None = None
) -> list[Any]:
    """What an embedder makes of the documents of a file, then the file's end."""
    rows = [Row(0, number, Item("a.md", None, document)) for number, document in enumerate(documents)]
    with closing(PassageEmbedder(options, lambda: stored or {})) as embedder:
        return [row.content for row in unpacked_rows(embedder(packed_rows([*rows, Row(0, len(rows), FileEnd())])))]


def test_a_reader_gives_what_the_command_line_reads_and_the_end_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Moon\n\nIt circles.\n")
    (tmp_path / "broken.txt").write_bytes(b"\xff\xfe\x00")
    lines(tmp_path / "two.jsonl", {"id": "a", "text": "One."}, {"id": "b", "text": "Two."})
    reader = FileReader(ReadingOptions(whole=False, model="", principals=("ann",)))
    files = [file for file in walk([tmp_path], Roots()) if isinstance(file, NamedFile)]
    batch = {"place": range(3), "content": [pickle.dumps(content_of(file)) for file in files]}
    with closing(reader):
        rows = [row for packed in reader(batch) for row in unpacked_rows(packed)]
    assert [(row.place, row.number) for row in rows] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert [row.number for row in rows if isinstance(row.content, FileEnd)] == [1, 1, 2]
    by_command = list(read([tmp_path], Roots(), IngestOptions(principals=("ann",))))
    assert [row.content for row in rows if not isinstance(row.content, FileEnd)] == by_command
    assert sum(isinstance(content, Unreadable) for content in by_command) == 1


def test_an_embedder_adds_the_vectors_that_the_suite_takes(settings: RetrieveSettings) -> None:
    (item, end) = embedded(EmbeddingOptions(settings, "tiny"), document())
    assert end == FileEnd()
    assert item.document.passage_vectors.model == "tiny"
    width = len(item.document.passage_vectors.values) // 2
    profile = _profile(width)
    preparation = settings.preparation(profile)
    prepared_document = with_supplied_vectors(preparation.prepare(from_message(item.document, Document)), preparation)
    assert prepared_document.vectors is not None
    assert np.linalg.norm(prepared_document.vectors.astype(np.float32)) == pytest.approx(1, abs=1e-3)


def _profile(width: int) -> ModelProfile:
    return ModelProfile("tiny", width)


def test_a_stored_document_is_marked_and_not_embedded(settings: RetrieveSettings) -> None:
    preparation = settings.preparation(_profile(8))
    fingerprint = preparation.digests(from_message(document(), Document))[0]
    options = EmbeddingOptions(settings, "tiny")
    same, changed, _ = embedded(options, document(), document(title="Luna"), stored={"moon": (fingerprint, 4)})
    assert (same.stored_passages, same.document) == (4, document())
    assert changed.stored_passages == 0
    assert changed.document.HasField("passage_vectors")


@pytest.mark.parametrize(
    "fields",
    [{"text": " "}, {"date": "soon"}, {"whole": True, "vector": [1.0], "vector_model": "tiny"}],
    ids=["empty", "to be refused", "with a vector"],
)
def test_what_needs_no_vectors_stays_as_it_is(settings: RetrieveSettings, fields: dict[str, Any]) -> None:
    item, _ = embedded(EmbeddingOptions(settings, "tiny"), document(**fields))
    assert item.document == document(**fields)


def test_nothing_is_embedded_for_a_suite_without_a_model(settings: RetrieveSettings) -> None:
    fingerprint = Preparation(language="en").digests(from_message(document(), Document))[0]
    options = EmbeddingOptions(settings, "")
    same, changed, _ = embedded(options, document(), document(title="Luna"), stored={"moon": (fingerprint, 1)})
    assert same.stored_passages == 1
    assert changed.document == document(title="Luna")


@pytest.mark.parametrize(
    ("model", "embedder", "message"),
    [
        ("all-MiniLM-L6-v2", "onnx:tiny", "the workers embed with tiny, the suite with all-MiniLM-L6-v2"),
        ("tiny", "none", "the workers embed with no model, the suite with tiny"),
        ("tiny", "onnx:missing", "a worker cannot embed: PARLEY_RETRIEVE_EMBEDDER"),
    ],
)
def test_a_worker_without_the_suites_model_says_so(
    settings: RetrieveSettings, model: str, embedder: str, message: str
) -> None:
    options = EmbeddingOptions(settings.model_copy(update={"embedder": embedder}), model)
    (fault, _) = embedded(options, document())
    assert isinstance(fault, WorkerFault)
    assert fault.message.startswith(message)


def test_settings_travel_to_a_worker() -> None:
    options = EmbeddingOptions(RetrieveSettings(passage_size=900, embedder_api_key=SecretStr("key")), "tiny")
    assert pickle.loads(pickle.dumps(options)) == options


def test_without_ray_the_command_names_the_extra(
    gateway: Any, parley: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda name: None)
    (tmp_path / "note.md").write_text("Text.")
    result = parley("ingest", str(tmp_path), "--ray", "auto")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "--ray needs Ray: install the extra, such as pip install 'parley[ray]'.\n"


def test_vectors_and_a_cluster_exclude_each_other(
    gateway: Any, parley: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda name: object())
    file = lines(tmp_path / "one.jsonl", {"id": "a", "text": "One."})
    np.save(tmp_path / "v.npy", np.ones((1, 4), np.float32))
    arguments = ("--vectors", str(tmp_path / "v.npy"), "--vectors-model", "tiny", "--ray", "auto")
    result = parley("ingest", str(file), *arguments)
    assert result.exit_code == 1
    assert "give one of them" in result.stderr
    assert gateway.ingested == []
