"""Sentences that date texts and pages tell no event of the subject."""

from dataclasses import replace

import pytest

from libs.text.dates.document_dates import find_dates
from services.timeline.extraction.events import find_events
from services.timeline.extraction.non_event_dates import (
    asks_for_releases,
    is_bibliographic,
    is_page_note,
    is_release,
    is_source,
)
from tests.unit.timeline.evidence_making import events_of, evidence, passage

PROBE = "Luna 9 landed on 3 February 1966."


@pytest.mark.parametrize(
    "entry",
    [
        "[12] Smith, J. Old probes. Nature 12, 2014, pp. 3-9",
        "[Smith14] Jane Smith et al. Old probes, 2014",
        "Smith, J. A. (2014). Old probes. Journal of Landers, 12(3), 3–9.",
        "[RFC2445] Dawson, F. Internet Calendaring, November 1998, https://example.org",
    ],
)
def test_an_entry_of_a_bibliography_is_a_source(entry: str) -> None:
    assert is_source(entry)
    assert events_of(f"{PROBE}\n\n{entry}\n")[1:] == []


@pytest.mark.parametrize("sentence", [PROBE, "[3] was landed in 1966", "Smith, J., landed in 1966."])
def test_what_only_begins_like_one_is_none(sentence: str) -> None:
    assert not is_source(sentence)


def test_a_work_named_with_its_year_is_no_event_and_a_speech_with_its_day_is_one() -> None:
    work, speech = '"Old probes", a talk by J. Smith, Oslo, 2018', '"We landed", she said on 3 May 2018'
    assert is_bibliographic(work, find_dates(work, language="en"), "en")
    assert not is_bibliographic(speech, find_dates(speech, language="en"), "en")
    assert events_of(f"- {work}\n- {speech}\n")[0].date_text == "3 May 2018"


@pytest.mark.parametrize(
    ("language", "note"),
    [
        ("en", "Last updated: 3 May 2020"),
        ("en", "This page was last modified on 3 May 2020."),
        ("en", "Copyright 2020 Example Ltd."),
        ("en", "© 2020 Example Ltd."),
        ("de", "Zuletzt geändert am 3. März 2020"),
        ("fr", "Ce contenu a été mis à jour le 11 février 2021."),
        ("fr", "© 2020 – Tous droits réservés"),
    ],
)
def test_a_note_of_a_page_on_itself_is_no_event(language: str, note: str) -> None:
    assert is_page_note(note, find_dates(note, language="en"), language)
    statements = find_events("timeline", evidence(replace(passage(f"{note}\n\n{PROBE}"), language=language)))
    assert [event.text for event in statements] == [PROBE]


@pytest.mark.parametrize("sentence", [PROBE, "The page was stolen on 3 May 2020.", "May 2020", "3 May 2020: closed"])
def test_what_says_more_is_no_note(sentence: str) -> None:
    assert not is_page_note(sentence, find_dates(sentence, language="en"), "en")


@pytest.mark.parametrize(
    ("row", "released"),
    [
        ("| v3.0 | 2024-11-14 |", True),
        ("Python 3.8: October 2019", True),
        ("Version 1.6.0 (2024-04-20)", True),
        ("2.0.0-rc.1 / 2026-02-01", True),
        (PROBE, False),
        ("| 2024-11-14 | v3.0 |", False),
        ("3.5 million people came in 2019", False),
        ("1969: Apollo 11", False),
    ],
)
def test_a_row_that_begins_with_a_number_of_a_version_is_a_release(row: str, released: bool) -> None:
    assert is_release(row) is released


TABLE = "| Release | Day |\n|---|---|\n| v3.0 | 2024-11-14 |\n| v3.1 | 2025-01-02 |\n"


@pytest.mark.parametrize(("question", "count"), [("What happened in 2024?", 0), ("Which versions were released?", 2)])
def test_a_table_of_versions_is_told_when_it_is_asked_for(question: str, count: int) -> None:
    assert len(events_of(TABLE, question=question)) == count


@pytest.mark.parametrize(
    ("question", "language", "asks"),
    [
        ("Show the release history", "en", True),
        ("What changed since 3.11.0?", "en", True),
        ("What came with v2.4?", "", True),
        ("Welche Version kam wann?", "de", True),
        ("Quelle version est sortie ?", "fr", True),
        ("What happened in 1969?", "en", False),
        ("How did the 1.5 million move?", "en", False),
    ],
)
def test_releases_are_asked_for_by_word_or_number(question: str, language: str, asks: bool) -> None:
    assert asks_for_releases(question, language) is asks
