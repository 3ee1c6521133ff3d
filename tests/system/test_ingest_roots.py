"""No ingest loses a file of another one: what documents are called, from the command line to the corpus."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, parley

pytestmark = pytest.mark.xdist_group("suite")


class Shelf:
    """A collection of its own, filled by the command line."""

    def __init__(self, door: Door, name: str) -> None:
        self._door = door
        self._name = name

    def ingest(self, *arguments: str | Path, code: int = 0, cwd: Path | None = None) -> str:
        """What the command said on standard error."""
        process = parley(self._door.port, "ingest", *map(str, arguments), "--collection", self._name, cwd=cwd)
        assert process.returncode == code, process.stdout + process.stderr
        return process.stderr

    def texts(self) -> dict[str, str]:
        """Every document's text, by its id."""
        listing = self._door.corpus.ListDocuments(corpus_pb2.ListDocumentsRequest(collection=self._name))
        return {document.document_id: self._text(document.document_id) for document in listing.documents}

    def put(self, document_id: str, text: str) -> None:
        """A document that somebody sends by itself."""
        document = corpus_pb2.Document(document_id=document_id, text=text)
        self._door.corpus.PutDocument(corpus_pb2.PutDocumentRequest(collection=self._name, document=document))

    def _text(self, document_id: str) -> str:
        request = corpus_pb2.GetDocumentRequest(collection=self._name, document_id=document_id)
        return self._door.corpus.GetDocument(request).document.text


@pytest.fixture
def shelf(door: Door, request: pytest.FixtureRequest) -> Iterator[Shelf]:
    name = f"roots-{request.node.name[:100]}"
    yield Shelf(door, name)
    door.corpus.DeleteCollection(corpus_pb2.DeleteCollectionRequest(name=name))


def folder(place: Path, **texts: str) -> Path:
    """A folder of notes; two underscores in a name part folders."""
    for name, text in texts.items():
        file = place / f"{name.replace('__', '/')}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return place


def test_two_folders_of_one_name_both_stay(shelf: Shelf, tmp_path: Path) -> None:
    first = folder(tmp_path / "a" / "docs", setup="Of a.")
    second = folder(tmp_path / "b" / "docs", setup="Of b.")
    shelf.ingest(first)
    output = shelf.ingest(second)
    both = {"docs/setup.md": "Of a.", "docs~2/setup.md": "Of b."}
    assert shelf.texts() == both
    assert output == (
        f"{second.resolve()}: its ids begin with docs~2, because docs belongs to another place; "
        "if that place moved here, ingest it with --root docs\n"
    )
    assert shelf.ingest(second, first) == ""
    assert shelf.texts() == both


@pytest.mark.slow  # each command starts a process that reads
def test_a_named_folder_may_move(shelf: Shelf, tmp_path: Path) -> None:
    here = folder(tmp_path / "here", a="A.", b="B.")
    shelf.ingest(here, "--root", "handbook")
    there = here.rename(tmp_path / "there")
    (there / "a.md").write_text("A, edited.")
    shelf.ingest(there, "--root", "handbook")
    assert shelf.texts() == {"handbook/a.md": "A, edited.", "handbook/b.md": "B."}
    shelf.ingest(there)  # its name is known now
    assert shelf.texts().keys() == {"handbook/a.md", "handbook/b.md"}
    output = shelf.ingest(there, "--root", "manual", code=1)
    assert "lies in the root 'handbook'" in output


def test_a_collection_from_before_roots_were_kept_goes_on_with_its_ids(shelf: Shelf, tmp_path: Path) -> None:
    docs = folder(tmp_path / "docs", a="A, edited.", b="B.")
    for name in ("docs/a.md", "docs/gone.md", "other/c.md"):
        shelf.put(name, "From before.")
    output = shelf.ingest(docs, "--prune")
    assert shelf.texts() == {"docs/a.md": "A, edited.", "docs/b.md": "B.", "other/c.md": "From before."}
    assert "documents whose ids begin with docs were ingested before" in output


@pytest.mark.slow  # each command starts a process that reads
def test_pruning_touches_the_named_root_alone(shelf: Shelf, tmp_path: Path) -> None:
    first, second = (folder(tmp_path / owner / "docs", x="X.", y="Y.", in__z="Z.") for owner in "ab")
    shelf.ingest(first, second)
    for place in (first, second):
        (place / "x.md").unlink()
        (place / "in" / "z.md").unlink()
    shelf.ingest(second, "--prune")
    assert shelf.texts().keys() == {"docs/in/z.md", "docs/x.md", "docs/y.md", "docs~2/y.md"}
    folder(first, in__w="W.")
    shelf.ingest(first / "in", "--prune")  # of a folder inside a root only what lay in it
    assert shelf.texts().keys() == {"docs/in/w.md", "docs/x.md", "docs/y.md", "docs~2/y.md"}


def test_ids_that_a_user_gives_are_the_users(shelf: Shelf, tmp_path: Path) -> None:
    for owner in "ab":
        place = folder(tmp_path / owner / "docs", note=f"Of {owner}.")
        (place / "lines.jsonl").write_text(f'{{"id": "own", "text": "Of {owner}."}}\n{{"text": "Line of {owner}."}}\n')
        shelf.ingest(place)
    assert shelf.texts() == {
        "own": "Of b.",
        "docs/note.md": "Of a.",
        "docs~2/note.md": "Of b.",
        "docs/lines.jsonl#2": "Line of a.",
        "docs~2/lines.jsonl#2": "Line of b.",
    }
