"""Which files a path stands for, what each is called, and what is passed over."""

from pathlib import Path

import pytest

from ingest.documents import PassedOver
from ingest.sources.roots import Roots, location_of, root_name
from ingest.sources.walking import NamedFile, holds_files, walk


def files(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def rooted(**folders: Path) -> Roots:
    """Roots at folders, by what their ids begin with."""
    return Roots({location_of(folder.resolve()): prefix for prefix, folder in folders.items()})


def ids(paths: list[Path], roots: Roots) -> list[str]:
    return [file.document_id for file in walk(paths, roots) if isinstance(file, NamedFile)]


def passed_over(path: Path) -> dict[str, str]:
    return {Path(one.where).name: one.reason for one in walk([path], Roots()) if isinstance(one, PassedOver)}


def test_a_folder_is_walked_by_name_without_what_is_hidden(tmp_path: Path) -> None:
    notes = files(tmp_path / "notes", "b.md", "a.txt", "deep/c.jsonl.gz", ".hidden/d.md")
    assert ids([notes], rooted(notes=notes)) == ["notes/a.txt", "notes/b.md", "notes/deep/c.jsonl.gz"]


def test_a_named_file_is_given_whatever_it_is(tmp_path: Path) -> None:
    assert list(walk([tmp_path / "x.bin"], Roots())) == [NamedFile(tmp_path / "x.bin", "x.bin", tmp_path.resolve())]


def test_a_folder_is_walked_while_it_is_read(tmp_path: Path) -> None:
    files(tmp_path, "a/x.txt", "b/x.txt")
    named_files = (file for file in walk([tmp_path], Roots()) if isinstance(file, NamedFile))
    assert next(named_files).path.parent.name == "a"
    files(tmp_path, "b/y.txt")
    assert [file.path.name for file in named_files] == ["x.txt", "y.txt"]


def test_what_is_passed_over_is_named_with_its_reason(tmp_path: Path) -> None:
    notes = files(tmp_path / "notes", "a.md", "archive.zip", "x.gz")
    files(tmp_path / "other", "b.md")
    (notes / "folder").symlink_to(tmp_path / "other")
    (notes / "nowhere.md").symlink_to(tmp_path / "missing.md")
    (notes / "itself.md").symlink_to(notes / "itself.md")
    assert ids([notes], Roots()) == ["a.md"]
    assert passed_over(notes) == {
        "archive.zip": "is of an unsupported kind",
        "x.gz": "is of an unsupported kind",
        "folder": "is a link to a folder, which is not followed",
        "nowhere.md": "does not lead to a file",
        "itself.md": "cannot be read: Too many levels of symbolic links",
    }


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE", "Makefile", "server.log", "nginx.conf", "a.b.c"])
def test_text_is_taken_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("The pump stops at 42 bar.\n")
    assert ids([tmp_path], Roots()) == [name]


@pytest.mark.parametrize(
    ("name", "data"), [("tool", b"\x7fELF\0\0"), ("empty", b""), ("page.css", b"a { color: red }")]
)
def test_what_is_no_text_or_only_for_programs_is_passed_over(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert passed_over(tmp_path) == {name: "is of an unsupported kind"}


def test_a_file_has_the_id_of_the_deepest_root_however_it_is_named(tmp_path: Path) -> None:
    docs = files(tmp_path / "docs", "a.md", "inner/b.md")
    (tmp_path / "link").symlink_to(docs)
    (tmp_path / "b-link.md").symlink_to(docs / "inner" / "b.md")
    roots = rooted(docs=docs, inner=docs / "inner")
    assert ids([docs], roots) == ids([tmp_path / "link"], roots) == ["docs/a.md", "inner/b.md"]
    for name in ("docs/inner", "link/inner", "docs/inner/b.md", "link/inner/b.md", "b-link.md"):
        assert ids([tmp_path / name], roots) == ["inner/b.md"], name


def test_two_names_of_a_file_are_one_document(tmp_path: Path) -> None:
    docs = files(tmp_path / "docs", "a.md")
    (docs / "b.md").symlink_to(docs / "a.md")
    assert ids([docs, docs / "a.md", docs / "b.md"], rooted(docs=docs)) == ["docs/a.md"]
    assert passed_over(docs) == {"b.md": f"is the same file as {(docs / 'a.md').resolve()}"}


def test_a_named_link_out_of_every_root_is_called_by_its_own_place(tmp_path: Path) -> None:
    docs = files(tmp_path / "docs", "a.md")
    outside = files(tmp_path / "outside", "x.md") / "x.md"
    (docs / "x.md").symlink_to(outside)
    assert ids([docs / "x.md"], rooted(docs=docs)) == ["docs/x.md"]
    assert ids([docs / "x.md"], rooted(docs=docs, outside=outside.parent)) == ["outside/x.md"]


def test_a_root_that_is_a_file_gives_its_own_id(tmp_path: Path) -> None:
    note = files(tmp_path, "x.md") / "x.md"
    assert ids([note], Roots({location_of(note.resolve()): "x.md~2"})) == ["x.md~2"]


@pytest.mark.parametrize(
    ("document_id", "owner"),
    [
        ("docs/a.md", "docs"),
        ("docs~2/a.md#2", "docs~2"),
        ("c#/a.md", "c#"),
        ("x.md", "x.md"),
        ("x.md#report.pdf#2", "x.md"),
        ("docs", "docs"),
        ("other/a.md", None),
        ("docs#1/a.md", None),
        ("https://example.org/docs/a.md", None),
    ],
)
def test_an_id_tells_its_root(document_id: str, owner: str | None) -> None:
    roots = Roots({"/a/docs": "docs", "/b/docs": "docs~2", "/c#": "c#", "/x.md": "x.md"})
    assert roots.owner(document_id) == owner


def test_a_root_is_called_by_its_own_name(tmp_path: Path) -> None:
    assert root_name(tmp_path / "docs") == "docs"
    assert root_name(Path("/")) == "root"
    assert root_name(Path("two\nlines")) == "two_lines"
    assert root_name(Path("/tmp/caf\udce9")) == "caf\\xe9"


def test_a_folder_of_pictures_holds_nothing(tmp_path: Path) -> None:
    assert not holds_files(files(tmp_path / "pictures", "a.png", "deep/b.jpg"))
    assert holds_files(files(tmp_path / "notes", "a.png", "deep/b.md"))
    assert not holds_files(tmp_path / "missing.md")
