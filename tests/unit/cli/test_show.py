"""A passage in its section, listings of documents, and collections that are deleted."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.app import command_line
from parley.context.v1 import basics_pb2, evidence_pb2, structure_pb2
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.unit.cli.conftest import Run

TEXT = (
    "# Leave\n\nEverybody has it.\n\n## Sick leave\n\nTell us by ten.\n\n"
    "- by phone\n- by mail\n\n## Travel\n\nBy train.\n"
)


def spanned(words: str, text: str = TEXT) -> basics_pb2.Span:
    return basics_pb2.Span(start=text.index(words), end=text.index(words) + len(words))


def passage(words: str, number: int = 0, **more: Any) -> evidence_pb2.Passage:
    return evidence_pb2.Passage(
        passage_id=f"leave.md#{number}", document_id="leave.md", text=words, span=spanned(words), title="Leave", **more
    )


def handbook() -> corpus_pb2.Document:
    starts = [
        (0, ""),
        *((TEXT.index(f"{mark} {name}"), name) for mark, name in (("##", "Sick leave"), ("##", "Travel"))),
    ]
    sections = [structure_pb2.Section(start=start, heading=name, parent=-1) for start, name in starts]
    return corpus_pb2.Document(document_id="leave.md", text=TEXT, structure=structure_pb2.Structure(sections=sections))


@pytest.fixture
def shelf(gateway: Any) -> Any:
    sick = {"headings": ["Leave", "Sick leave"], "page": 3, "date": "2031-05", "collection": "moon"}
    for one in (passage("Tell us by ten.", 0, **sick), passage("- by phone\n- by mail", 1, **sick)):
        gateway.passages[one.passage_id] = one
    gateway.documents["leave.md"] = handbook()
    return gateway


SICK = ["Leave > Sick leave", "leave.md#0, page 3, 2031-05", "", "  ## Sick leave", "", "┃ Tell us by ten."]


def test_a_passage_is_marked_in_its_section(shelf: Any, parley: Run) -> None:
    result = parley("show", "leave.md#0", "--collection", "moon", "--principal", "ann")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [*SICK, "", "  - by phone", "  - by mail"]
    assert shelf.principals == 2 * [["ann"]]
    assert json.loads(parley("show", "leave.md#0", "--json").stdout)["passage_id"] == "leave.md#0"


def test_the_line_of_a_page_and_the_number_of_a_slide_are_told(shelf: Any, parley: Run) -> None:
    shelf.boxes["leave.md"] = [corpus_pb2.WordBox(line=line) for line in (12, 13)]
    assert parley("show", "leave.md#0").stdout.splitlines()[1] == "leave.md#0, page 4, line 12, 2031-05"
    slide = evidence_pb2.Passage(passage_id="a.pptx#0", document_id="a.pptx", text="Oak", page=2)
    shelf.passages["a.pptx#0"] = slide
    assert parley("show", "a.pptx#0").stdout.splitlines()[1] == "a.pptx#0, slide 2"


def test_the_cells_of_a_sheet_are_told(shelf: Any, parley: Run) -> None:
    row = evidence_pb2.Passage(passage_id="a.xlsx#3", document_id="a.xlsx", text="Oak", cells="Prices!A5:D5")
    shelf.passages["a.xlsx#3"] = row
    assert parley("show", "a.xlsx#3").stdout.splitlines()[1] == "a.xlsx#3, Prices!A5:D5"


def test_a_number_stands_for_all_passages_of_its_section(shelf: Any, parley: Run) -> None:
    names = [(1, "other#0"), (2, "leave.md#0"), (2, "leave.md#1")]
    for number, name in names:
        shelf.references.passages.add(number=number, passage_id=name, collection="moon")
    for argument in ("2", "[2]"):
        lines = parley("show", argument, "--session", "monday").stdout.splitlines()
        assert lines == [*SICK, "", "┃ - by phone", "┃ - by mail"]
    assert parley("show", "3", "--session", "monday").stderr == (
        "The latest answer of the session monday has no reference 3: it has 1, 2, of which the answer cites some.\n"
    )
    shelf.references = gateway_pb2.GetReferencesResponse()
    assert "it has no references" in parley("show", "1", "--session", "monday").stderr


def test_a_number_needs_its_session(shelf: Any, parley: Run) -> None:
    missing = parley("show", "gone.md#0")
    assert (missing.exit_code, missing.stderr) == (1, "There is no passage 'gone.md#0' (PASSAGE_NOT_FOUND).\n")
    result = parley("show", "2")
    assert result.exit_code == 1
    assert result.stderr.startswith("There is no passage 2. To show the reference of an answer, name its conversation")
    assert "is not a reference number" in parley("show", "leave.md#0", "--session", "monday").stderr


def test_a_passage_without_its_document_is_shown_alone(shelf: Any, parley: Run) -> None:
    shelf.documents.clear()
    assert parley("show", "leave.md#0").stdout.splitlines()[2:] == ["", "┃ Tell us by ten."]


def test_of_a_long_section_what_is_near_is_shown(shelf: Any, parley: Run) -> None:
    text = "\n\n".join([*(f"Before {number}." for number in range(900)), "Here.", *(f"After {n}." for n in range(900))])
    shelf.documents["leave.md"] = corpus_pb2.Document(document_id="leave.md", text=text)
    shelf.passages["leave.md#0"].span.CopyFrom(spanned("Here.", text))
    lines = parley("show", "leave.md#0").stdout.splitlines()
    assert "┃ Here." in lines
    assert (lines[3], lines[-1]) == ("  …", "  …")
    assert len(lines) < 900


def test_documents_are_listed_page_by_page(gateway: Any, parley: Run) -> None:
    gateway.pages = [
        [corpus_pb2.DocumentSummary(document_id="a.md", title="A", date="2031", passages=3, characters=1200)],
        [corpus_pb2.DocumentSummary(document_id="b.md")],
    ]
    assert parley("documents", "--collection", "moon", "--principal", "ann").stdout == (
        "document\ttitle\tdate\tpassages\tcharacters\tleft out\na.md\tA\t2031\t3\t1,200\t-\nb.md\t-\t-\t0\t-\t-\n"
    )
    assert gateway.principals == 2 * [["ann"]]
    entries = [json.loads(line) for line in parley("documents", "--json").stdout.splitlines()]
    assert [(one["document_id"], one["passages"], one["characters"]) for one in entries] == [
        ("a.md", 3, 1200),
        ("b.md", 0, 0),
    ]


@pytest.mark.parametrize(
    ("options", "answer", "is_deleted"), [([], "y\n", True), ([], "n\n", False), ([], "", False), (["--yes"], "", True)]
)
def test_a_collection_is_deleted_if_agreed(gateway: Any, options: list[str], answer: str, is_deleted: bool) -> None:
    gateway.collections.collections.add(name="moon", documents=71)
    arguments = ["collections", "--delete", "moon", "--port", str(gateway.port), *options]
    result = CliRunner().invoke(command_line(), arguments, input=answer)
    assert ("Delete the collection moon with its 71 documents?" in result.stderr) is not bool(options)
    assert gateway.deleted_collections == (["moon"] if is_deleted else [])
    assert result.stdout.endswith("deleted moon with 71 documents\n") is is_deleted
    assert result.exit_code == (0 if is_deleted else 1)


def test_a_collection_that_is_not_there_is_not_deleted(parley: Run) -> None:
    missing = parley("collections", "--delete", "mars", "--yes")
    assert (missing.exit_code, missing.stderr) == (
        1,
        "There is no collection 'mars'. `parley collections` lists them.\n",
    )
