"""The date of a document: what its file states, or its name, with the precision that is stated and no more."""

from pathlib import Path

import pytest

from ingest.content import Content
from ingest.documents import Omission, OmissionReason, ParsedDocument
from ingest.readers import read, read_file
from libs.web.iso_dates import iso_stamp, stamp_of_name


def document(name: str, text: str, date: str = "") -> ParsedDocument:
    (document,) = read(Content(name, name, name, data=text.encode(), date=date))
    assert isinstance(document, ParsedDocument)
    return document


@pytest.mark.parametrize(
    ("stated", "date"),
    [
        ("20240305", "2024-03-05"),
        ("2024-03", "2024-03"),
        ("2024/03/05", "2024-03-05"),
        ("05.03.2024", "2024-03-05"),
        ("13/05/2024", "2024-05-13"),
        ("March 5, 2024", "2024-03-05"),
        ("Tuesday, 5 March 2024", "2024-03-05"),
        ("5. März 2024", "2024-03-05"),
        ("Mar 2024", "2024-03"),
        ("2024-W10", "2024-03"),  # all of it lies in March
        ("2024-W09", "2024"),
    ],
)
def test_a_stated_date_is_read_in_the_usual_forms(stated: str, date: str) -> None:
    assert iso_stamp(stated) == date
    assert document("note.md", f"---\ndate: {stated}\n---\nText.\n").date == date


@pytest.mark.parametrize("stated", ["sometime in 2024", "05.13.2024", "2024-W54", "202403", "2019-2021", "Version 3"])
def test_none_is_invented(stated: str) -> None:
    assert iso_stamp(stated) == ""


def test_03_05_may_be_march_or_may() -> None:
    assert iso_stamp("03/05/2024") == "2024"


def test_a_date_that_is_none_costs_the_date_alone() -> None:
    note = document("note.md", "---\ndate: when it rained\ntitle: Rain\n---\nText.\n")
    assert (note.title, note.date, note.text) == ("Rain", "", "Text.")
    assert note.omissions == (Omission(OmissionReason.DAMAGED, "date", "when it rained", 14),)


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("2024-03-05 minutes.md", "2024-03-05"),
        ("minutes_20240305.txt", "2024-03-05"),
        ("IMG_20240305_101500.txt", "2024-03-05"),
        ("2024_03_05_report.md", "2024-03-05"),
        ("acme-2024-03-report.md", "2024-03"),
        ("Protokoll 05.03.2024.txt", "2024-03-05"),
        ("Minutes of March 5, 2024.md", "2024-03-05"),
        ("plan-2024-W11.md", "2024-03"),
        ("2024-03-01 against 2024-04-01.md", ""),
        ("Agenda 2030.md", ""),
        ("order-1712345678.md", ""),
        ("rfc2119.txt", ""),
    ],
)
def test_a_name_dates_its_file_if_it_tells_one_day_or_month(name: str, date: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("Text.\n")
    (read_one,) = read_file(tmp_path / name, name)
    assert isinstance(read_one, ParsedDocument)
    assert read_one.date == date


def test_what_a_file_states_comes_before_its_name_and_that_before_what_its_host_states() -> None:
    name = "2024-03-05 minutes.md"
    assert document(name, "---\ndate: 2023-01-02\n---\nText.\n", date="2025-01-01").date == "2023-01-02"
    assert document(name, "Text.\n", date="2025-01-01").date == "2024-03-05"
    assert document("minutes.md", "Text.\n", date="2025-01-01").date == "2025-01-01"


def test_words_beside_a_name_do_not_make_it_two_dates() -> None:
    assert stamp_of_name("Monday 2024 03 05 v2") == "2024-03-05"
