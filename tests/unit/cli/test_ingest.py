"""Files into a collection: what is sent, what is counted, what is refused."""

from pathlib import Path
from typing import Any

import pytest

from cli.ingest.sending import MAX_BYTES
from libs.runtime.errors import Unavailable
from parley.retrieve.v1 import corpus_pb2
from tests.fakes.web_host import WebPage, web_host
from tests.unit.cli.conftest import Run
from tests.unit.cli.ingesting import answer, lines


def test_files_are_sent_and_counted(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("---\ntitle: A note\ndate: 2024-05-01\n---\nThe text.\n")
    (tmp_path / "plain.txt").write_text("Plain.")
    two = lines(tmp_path / "two.jsonl", {"id": "a", "text": "One.", "lang": "en"}, {"id": "b", "text": "Two."})
    statuses = {"a": "REPLACED", "b": "UNCHANGED"}
    gateway.acknowledge = lambda document: answer(document, statuses.get(document.document_id, "ADDED"))
    result = parley("ingest", str(tmp_path / "note.md"), str(tmp_path / "plain.txt"), str(two), "--collection", "moon")
    assert result.stdout == "added 2, replaced 1, unchanged 1, empty 0, failed 0 (8 passages)\n"
    assert (result.exit_code, result.stderr) == (0, "")
    assert gateway.header.collection == "moon"
    note, plain, first, second = gateway.ingested
    assert (note.document_id, note.title, note.date, note.text) == ("note.md", "A note", "2024-05-01", "The text.")
    assert (plain.document_id, plain.text) == ("plain.txt", "Plain.")
    assert (first.document_id, dict(first.metadata), second.document_id) == ("a", {"lang": "en"}, "b")
    assert not any(document.whole for document in gateway.ingested)


def test_documents_are_done_with_their_vectors_or_once_their_words_are_found(
    gateway: Any, parley: Run, tmp_path: Path
) -> None:
    moon = corpus_pb2.Collection(name="moon", documents=9, passages=50, passages_without_vectors=40)
    gateway.collections = corpus_pb2.ListCollectionsResponse(collections=[corpus_pb2.Collection(name="default"), moon])
    file = lines(tmp_path / "notes.jsonl", {"id": "a", "text": "One."})
    done = parley("ingest", str(file), "--collection", "moon").stdout
    assert not gateway.header.vectors_later
    early = parley("ingest", str(file), "--collection", "moon", "--wait", "text").stdout
    assert gateway.header.vectors_later
    assert early.startswith(done)
    assert early.removeprefix(done) == (
        "40 passages are found by their words alone until they have their vectors: "
        "`parley collections` tells how many are left\n"
    )
    assert parley("ingest", str(file), "--wait", "text").stdout == done


@pytest.mark.parametrize("most", [0, 7])
def test_documents_that_are_ready_go_together_as_far_as_the_suite_takes_them(
    gateway: Any, parley: Run, tmp_path: Path, most: int
) -> None:
    gateway.max_documents = most
    names = [f"d{number}" for number in range(300)]
    large = {"id": "large", "text": "x" * MAX_BYTES}
    file = lines(tmp_path / "notes.jsonl", *({"id": name, "text": name} for name in names), large)
    assert "added 301," in parley("ingest", str(file)).stdout
    assert [document.document_id for document in gateway.ingested] == [*names, "large"]
    assert (gateway.together[0], gateway.together[-1]) == (1, 1)
    assert max(gateway.together) == (most or 1)


def test_a_bad_file_or_line_does_not_stop_the_others(gateway: Any, parley: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\x00")
    mixed_file = tmp_path / "mixed.jsonl"
    mixed_file.write_text(
        '{"id": "a", "text": "One."}\nnonsense\n{"id": "b", "text": "\\ud800"}\n{"id": "c", "text": "3"}\n'
    )
    result = parley("ingest", str(bad), str(tmp_path / "missing.md"), str(mixed_file))
    assert result.exit_code == 1
    assert [document.document_id for document in gateway.ingested] == ["a", "c"]
    assert result.stdout == "added 2, replaced 0, unchanged 0, empty 0, failed 4 (2 passages)\n"
    assert result.stderr.splitlines() == [
        f"{bad}: is not text in a known encoding",
        f"{tmp_path / 'missing.md'}: No such file or directory",
        f"{mixed_file}, line 2: is not JSON",
        f"{mixed_file}, line 3: contains a value that cannot be sent",
    ]


def test_a_refused_document_is_told_with_its_place_and_reason(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "two.jsonl", {"id": "a", "text": "One.", "source": "?"}, {"id": "b", "text": "Two."})
    gateway.acknowledge = lambda document: (
        answer(document, "FAILED", "FIELD_INVALID", "document.source: is unknown")
        if document.source
        else answer(document, "ADDED")
    )
    result = parley("ingest", str(file))
    assert result.exit_code == 1
    assert result.stderr == f"{file}, line 1: document.source: is unknown (FIELD_INVALID)\n"
    assert result.stdout == "added 1, replaced 0, unchanged 0, empty 0, failed 1 (2 passages)\n"


def test_of_many_failures_in_one_file_the_first_are_told(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("nonsense\n" * 1200)
    output = parley("ingest", str(file)).stderr.splitlines()
    assert len(output) == 11
    assert output[-1] == f"{file}: 1,190 more of its lines failed"


def test_vectors_that_the_suite_could_not_use_are_told(gateway: Any, parley: Run, tmp_path: Path) -> None:
    def acknowledge(document: Any) -> Any:
        response = answer(document, "ADDED")
        response.vectors_ignored = document.document_id != "b"
        return response

    file = lines(tmp_path / "three.jsonl", *({"id": name, "text": "One."} for name in "abc"))
    gateway.acknowledge = acknowledge
    result = parley("ingest", str(file))
    assert result.exit_code == 0
    assert result.stderr.startswith("2 documents were embedded by the suite itself, because")


def test_what_was_empty_or_skipped_is_named(gateway: Any, parley: Run, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("a.md", "empty.md", "archive.zip"):
        (notes / name).write_text("A." if name == "a.md" else "")
    lines(notes / "b.jsonl", {"id": "a", "text": "One."}, {"id": "b", "text": ""})
    gateway.acknowledge = lambda document: answer(document, "ADDED" if document.text else "EMPTY")
    result = parley("ingest", str(notes))
    assert result.exit_code == 0
    assert result.stdout == "added 2, replaced 0, unchanged 0, empty 2, failed 0, skipped 1 (4 passages)\n"
    assert result.stderr.splitlines() == [
        f"{notes}/b.jsonl, line 2: has no text, so a search cannot find it",
        f"{notes}/empty.md: has no text, so a search cannot find it",
        f"{notes}/archive.zip: is of an unsupported kind",
    ]


@pytest.mark.parametrize(
    ("ending", "content", "last"),
    [
        (".zip", b"", "and 10 more that were skipped"),
        (".md", b"", "and 10 more that are empty"),
        (".txt", b"\xff\xfe\x00", "and 10 more failed"),
    ],
)
def test_of_many_files_the_first_are_named(
    gateway: Any, parley: Run, tmp_path: Path, ending: str, content: bytes, last: str
) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}{ending}").write_bytes(content)
    gateway.acknowledge = lambda document: answer(document, "EMPTY")
    *names, end = parley("ingest", str(tmp_path)).stderr.splitlines()
    assert [line.partition(":")[0] for line in names] == [f"{tmp_path}/{number:02}{ending}" for number in range(20)]
    assert end == last


def test_files_are_placed_before_they_are_sent(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("A.")
    (tmp_path / "pictures").mkdir()
    parley("ingest", str(tmp_path / "notes"), str(tmp_path / "pictures"), str(tmp_path / "missing.md"))
    assert [(root.location, root.name, root.named) for root in gateway.placed] == [
        (str(tmp_path.resolve() / "notes"), "notes", False)
    ]


def test_a_folder_may_be_given_a_name(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("A.")
    parley("ingest", str(tmp_path), "--root", "handbook")
    assert [(root.name, root.named) for root in gateway.placed] == [("handbook", True)]
    assert [document.document_id for document in gateway.ingested] == ["handbook/a.md"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("a", "b", "--root", "n"), "--root names one folder or file: give each its own name in a run of its own.\n"),
        (("https://example.org/", "--root", "n"), "--root names one folder or file"),
        (("a", "--sitemap", "https://example.org/", "--root", "n"), "--root names one folder or file"),
        (("a", "--root", "n/m"), "--root must be a name without /"),
        (("a", "--root", " "), "--root must be a name without /"),
    ],
)
def test_one_name_for_two_is_refused(gateway: Any, parley: Run, arguments: tuple[str, ...], complaint: str) -> None:
    result = parley("ingest", *arguments)
    assert (result.exit_code, gateway.placed) == (1, [])
    assert result.stderr.startswith(complaint)


LOOPBACK = (
    "cannot be requested: 127.0.0.1 is not on the public internet: it is this machine, which --allow-loopback allows"
)


def test_nothing_to_ingest_is_no_failure(parley: Run, tmp_path: Path) -> None:
    result = parley("ingest", str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "Nothing was ingested: no file of a known kind was found.\n")


def test_a_folder_without_anything_to_read_is_named_beside_others(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("A.")
    result = parley("ingest", str(tmp_path / "empty"), str(tmp_path / "a.txt"))
    assert (result.exit_code, result.stderr) == (0, f"{tmp_path / 'empty'}: holds no file of a known kind\n")


def test_documents_belong_to_whom_the_command_or_they_say(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "two.jsonl", {"id": "a", "text": "1"}, {"id": "b", "text": "2", "principals": ["cy"]})
    parley("ingest", str(file), "--principal", "ann", "--principal", "bob")
    assert [list(document.principals) for document in gateway.ingested] == [["ann", "bob"], ["cy"]]


def test_a_principal_that_nobody_could_ask_by_is_refused(gateway: Any, parley: Run, tmp_path: Path) -> None:
    result = parley("ingest", str(lines(tmp_path / "a.jsonl", {"text": "1"})), "--principal", "änn")
    assert result.exit_code == 1
    assert gateway.ingested == []


def test_pruning_deletes_what_a_folder_no_longer_holds(gateway: Any, parley: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("A.")
    (folder / "broken.pdf").write_bytes(b"%PDF-")
    lines(folder / "b.jsonl", {"text": "B.", "principals": ["ann"]})
    remaining_ids = ["notes/a.txt", "notes/b.jsonl#1", "notes/broken.pdf", "notes/broken.pdf#2", "other/a.txt", "notes"]
    pruned_ids = ["notes/gone.txt", "notes/a.txt#2", "notes/b.jsonl#2", "notes/deep/gone.eml#x.pdf"]
    gateway.pages = [[corpus_pb2.DocumentSummary(document_id=name) for name in (*remaining_ids, *pruned_ids)]]
    result = parley("ingest", str(folder), "--prune", "--principal", "bob")
    assert gateway.deleted == pruned_ids
    assert gateway.principals == 5 * [["ann", "bob"]]
    assert "failed 1, pruned 4 (" in result.stdout


def test_pruning_spares_everything_when_a_folder_is_empty(gateway: Any, parley: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    gateway.pages = [[corpus_pb2.DocumentSummary(document_id="notes/a.txt")]]
    result = parley("ingest", str(tmp_path / "notes"), "--prune")
    assert gateway.deleted == []
    assert "none of its documents is deleted" in result.stderr


def test_pages_of_the_web_are_sent(gateway: Any, parley: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.ingest.running.PAUSE_SECONDS", 0.0)
    with web_host({"/a": b"<h1>A</h1><p>Words.</p>", "/b": b"<p>Words.</p>", "/map.txt": b""}) as host:
        host.pages["/map.txt"] = WebPage(f"{host.url('/a')}\n{host.url('/b')}".encode())
        result = parley("ingest", host.url("/a"), "--sitemap", host.url("/map.txt"), "--allow-loopback")
        refusal = parley("ingest", host.url("/a"))
    ids = [document.document_id for document in gateway.ingested]
    assert (result.exit_code, ids) == (0, [host.url("/a"), host.url("/b")])
    assert refusal.exit_code == 1
    assert refusal.stderr == f"{host.url('/a')}: {LOOPBACK}\n"


def test_nothing_named_is_a_mistake(parley: Run) -> None:
    assert parley("ingest").exit_code == 2


def test_a_suite_that_fails_on_the_way_leaves_the_written_counts(gateway: Any, parley: Run, tmp_path: Path) -> None:
    file = lines(tmp_path / "three.jsonl", *({"id": name, "text": "Text."} for name in "abc"))

    failure = Unavailable("STAGE_UNAVAILABLE", "retrieve cannot be reached")
    gateway.acknowledge = lambda document: failure if document.document_id == "c" else answer(document, "ADDED")
    result = parley("ingest", str(file))
    assert result.exit_code == 1
    assert result.stdout == "added 2, replaced 0, unchanged 0, empty 0, failed 0 (4 passages)\n"
    assert result.stderr == "Retrieve cannot be reached (STAGE_UNAVAILABLE).\n"


def test_a_long_document_says_how_far_it_is(
    gateway: Any, parley: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.ingest.progress.SECONDS", 0.01)
    gateway.steps = 30
    (tmp_path / "long.md").write_text("Long.")
    result = parley("ingest", str(tmp_path / "long.md"), "--progress")
    assert (result.exit_code, gateway.header.progress) == (0, True)
    assert result.stdout == "added 1, replaced 0, unchanged 0, empty 0, failed 0 (1 passages)\n"
    assert set(result.stderr.splitlines()) & {
        f"0 documents, 0 passages; long.md: {step} passages so far" for step in range(30)
    }
