"""A folder of many kinds of files, one of them broken, from the command line; then questions that one file answers."""

import pytest

from tests.fakes import office_files as make
from tests.fakes.web_host import web_host
from tests.system.door import Door, ingest, last, one, parley

pytestmark = pytest.mark.xdist_group("suite")

COLLECTION = "documents"
ROWS = (("Rover", "Launched", "Mass"), ("Lyra", "14 July 2029", "212 kg"), ("Draco", "2 March 2030", "98 kg"))
LANDING = "The lander Corvus touched down on the asteroid Vesta on 3 May 2033."


@pytest.fixture(scope="module")
def documents(door: Door, tmp_path_factory: pytest.TempPathFactory) -> Door:
    """The suite, with the folder in a collection of its own."""
    folder = tmp_path_factory.mktemp("documents") / "files"
    folder.mkdir()
    files = {
        "report.docx": make.docx(picture=make.png()),
        "landing.pdf": make.pdf([LANDING, "Its drill reached a depth of 41 metres."], title="Corvus on Vesta"),
        "rovers.xlsx": make.xlsx(ROWS),
        "mail.eml": make.eml(("note.txt", "application/octet-stream", b"The antenna of Aquila was built in Oslo.")),
        "broken.pdf": b"%PDF-1.7 and nothing more",
        "locked.pdf": make.pdf(["Nobody reads this."], password="secret"),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    process = parley(door.port, "ingest", str(folder), "--collection", COLLECTION)
    assert process.returncode == 1
    assert process.stdout == (
        "added 5, replaced 0, unchanged 0, empty 0, failed 2 (5 passages)\n"
        "1 file: 1 picture without recognised text; --report tells more\n"
    )
    broken_line, locked_line = process.stderr.splitlines()
    assert broken_line == f"{folder.resolve()}/broken.pdf: cannot be read as PDF: it is damaged, or of another kind"
    assert locked_line == f"{folder.resolve()}/locked.pdf: is encrypted: remove its password first"
    return door


@pytest.mark.parametrize(
    ("question", "answer", "document"),
    [
        ("When did the lander Corvus touch down on Vesta?", "3 May 2033", "files/landing.pdf"),
        ("When did the probe Aquila enter the orbit of Ceres?", "9 June 2031", "files/report.docx"),
        ("When was the rover Lyra launched?", "14 July 2029", "files/rovers.xlsx"),
        ("Where was the antenna of Aquila built?", "Oslo", "files/mail.eml#note.txt"),
    ],
)
def test_each_file_is_cited(documents: Door, question: str, answer: str, document: str) -> None:
    events = documents.ask(question, collection=COLLECTION)
    assert answer in one(events, "text_end").text_end.text
    citations = [event.citation for event in events if event.WhichOneof("event") == "citation"]
    assert f"{document}#0" in {span.passage_id for citation in citations for span in citation.references}


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("When was the rover Lyra launched?", {"Probes!A1:C1", "Probes!A2:C2"}),
        ("Which rovers have a mass below 100 kg?", {"Probes!A1:C1", "Probes!A3:C3"}),
    ],
    ids=["quoted", "computed"],
)
def test_a_citation_of_a_workbook_tells_its_cells(documents: Door, question: str, cells: set[str]) -> None:
    events = documents.ask(question, "cells", collection=COLLECTION)
    spans = [span for event in events for span in event.citation.references if span.passage_id == "files/rovers.xlsx#0"]
    assert {span.cells for span in spans} == cells
    (number,) = {span.number for span in spans}
    shown = parley(documents.port, "show", str(number), "--session", "cells").stdout
    assert "files/rovers.xlsx#0, Probes!A1:C3" in shown
    asked = parley(documents.port, "ask", question, "--collection", COLLECTION).stdout
    assert all(each in asked for each in cells)


def test_a_page_of_the_web_is_cited_by_its_url(door: Door) -> None:
    with web_host({"/corvus": f"<html><h1>Corvus</h1><p>{LANDING}</p></html>".encode()}) as host:
        url = host.url("/corvus")
        assert parley(door.port, "ingest", url, "--collection", "pages").returncode == 1
        ingest(door.port, url, "--allow-loopback", "--collection", "pages")
    events = door.ask("When did the lander Corvus touch down on Vesta?", collection="pages")
    (reference,) = last(events, "references").references.references
    assert reference.evidence.passage.url == url
    assert "3 May 2033" in one(events, "text_end").text_end.text
