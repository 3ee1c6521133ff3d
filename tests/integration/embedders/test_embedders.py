"""Other embedding models than the packaged one, as a setting of a whole suite: a folder is taken in and asked."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite, running_suite
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, one, parley
from tools.fetch_embedders import fetch

FOLDER = Path(__file__).resolve().parents[3] / "build" / "embedders"
HABITS = {
    "e5-small-v2-q": {"QUERY_PREFIX": "query: ", "PASSAGE_PREFIX": "passage: "},
    "bge-small-en-v1.5-q": {
        "POOLING": "cls",
        "QUERY_PREFIX": "Represent this sentence for searching relevant passages: ",
    },
}
NAMES = {
    "e5-small-v2-q": "e5-small-v2-q (passage:) (centered)",
    "bge-small-en-v1.5-q": "bge-small-en-v1.5-q (cls) (centered)",
}
NOTES = {
    "pets.md": "# Pets\n\nA kitten sleeps most of the day and drinks milk from a bowl.",
    "ships.md": "# Ships\n\nA freighter crosses the ocean in nine days with four hundred containers.",
}


@pytest.fixture(scope="module")
def models() -> dict[str, Path]:
    if shutil.which("mvn") is None:
        pytest.skip("Maven fetches the models")
    return {folder.name: folder for folder in fetch(FOLDER)}


@pytest.fixture(scope="module", params=HABITS)
def suite(
    request: pytest.FixtureRequest, models: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, RunningSuite]]:
    work, model = tmp_path_factory.mktemp("embedder"), str(request.param)
    settings = {f"PARLEY_RETRIEVE_EMBEDDER_{name}": value for name, value in HABITS[model].items()}
    with running_suite(work / "data", {"PARLEY_RETRIEVE_EMBEDDER": f"onnx:{models[model]}", **settings}) as running:
        for name, text in NOTES.items():
            (work / "notes").mkdir(exist_ok=True)
            (work / "notes" / name).write_text(text)
        process = parley(running.port, "ingest", str(work / "notes"))
        assert process.returncode == 0, process.stderr
        yield model, running


def test_the_model_is_told_with_what_was_set_beside_its_files(suite: tuple[str, RunningSuite]) -> None:
    model, running = suite
    assert NAMES[model] in parley(running.port, "doctor").stdout


def test_what_is_said_in_other_words_is_found(suite: tuple[str, RunningSuite]) -> None:
    with Door.of(suite[1]) as door:
        request = corpus_pb2.SearchRequest(query="young cat's nap")
        first, *_ = door.corpus.Search(request).evidence
    assert first.passage.title == "Pets"
    assert first.scores.HasField("vector")


def test_a_turn_is_answered(suite: tuple[str, RunningSuite]) -> None:
    with Door.of(suite[1]) as door:
        events = door.ask("How many containers does a freighter carry?")
    assert "four hundred containers" in one(events, "text_end").text_end.text
