"""Questions about rows over a running suite: the whole table is read, whichever of its rows were found."""

from pathlib import Path

import pytest

from tests.system.door import Door, ingest, last, one

pytestmark = pytest.mark.xdist_group("suite")

HEAD = "| Station | Area | Visitors in 2024 |\n|---|---|---|"
ROWS = [f"| ST-{n:03d} | {('North', 'South', 'East')[n % 3]} | {2000 + 7 * n} |" for n in range(1, 121)]


@pytest.fixture(scope="module")
def stations(door: Door, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The collection with a table of 120 rows in many passages."""
    path: Path = tmp_path_factory.mktemp("stations") / "stations.md"
    path.write_text("\n".join(["# Measuring stations", "", HEAD, *ROWS]))
    ingest(door.port, str(path), "--collection", "stations")
    return "stations"


def test_an_extreme_is_that_of_all_rows_and_its_row_is_cited_and_shown_below_the_head_row(
    door: Door, stations: str
) -> None:
    events = door.ask("Which station had the fewest visitors in the South?", collection=stations)
    text = one(events, "text_end").text_end.text
    assert "Lowest Visitors in 2024 where Area: South: ST-001 (2007).[1]" in text
    assert f"{HEAD}\n{ROWS[0]}\n\n1 of 120 rows shown." in text
    passages = {r.evidence.passage.passage_id: r.number for r in last(events, "references").references.references}
    cited = {span.passage_id for event in events if event.HasField("citation") for span in event.citation.references}
    assert {passages.get(passage_id) for passage_id in cited} == {1}


def test_rows_that_are_quoted_for_a_question_about_all_of_them_are_said_to_be_some(door: Door, stations: str) -> None:
    text = one(door.ask("What is the median of the visitors in 2024?", collection=stations), "text_end").text_end.text
    assert text.startswith("Only the rows shown were read, not the whole table.")


COURSES = """Course,Trainer,Day,Price
Taster evening,Mara Lindqvist,Monday,25
Fall school,Jonas Abel,Tuesday,35
Footwork basics,Mara Lindqvist,Wednesday,48
Competition squad,Priya Nair,Thursday,12
"""


def test_a_follow_up_is_about_the_row_that_was_told(door: Door, tmp_path: Path) -> None:
    (tmp_path / "courses.csv").write_text(COURSES)
    ingest(door.port, str(tmp_path / "courses.csv"), "--collection", "courses")
    door.ask("Which course is the cheapest?", session="rows", collection="courses")
    text = one(door.ask("Who teaches it?", session="rows", collection="courses"), "text_end").text_end.text
    assert "Trainer where Course: Competition squad: Priya Nair.[1]" in text
