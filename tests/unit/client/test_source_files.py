"""Which files of folders are ingested, and who may see them."""

from pathlib import Path

from parley.client.documents import Document, documents_of


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    for name in ("a.md", ".hidden.md", ".git/b.md", "deep/c.txt", "deep/d.bin"):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("Water ice.")
    assert [document.document_id for document in documents_of([root])] == ["notes/a.md", "notes/deep/c.txt"]


def test_a_document_of_the_caller_is_not_changed() -> None:
    open_one, own = Document(document_id="a"), Document(document_id="b", principals=["bob"])
    principals = [list(document.principals) for document in documents_of([open_one, own], principals=["ann"])]
    assert principals == [["ann"], ["bob"]]
    assert not open_one.principals
