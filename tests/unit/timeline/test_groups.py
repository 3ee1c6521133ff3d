"""Events that belong together share a label."""

import pytest

from services.timeline.events import find_events
from services.timeline.groups import group_events, names_in
from tests.unit.timeline.evidence_making import events_of, evidence, passage


def test_events_of_one_document_share_its_title_when_there_are_others() -> None:
    spirit = passage("It landed on 4 January 2004. It sank in in April 2009.", "spirit", title="Spirit")
    others = [passage(f"Probe {n} flew in 19{n}.", f"p{n}", title=f"Probe {n}") for n in (61, 62)]
    events = find_events("timeline", evidence(spirit, *others)).events
    assert group_events(events) == ["Spirit", "Spirit", "", ""]


def test_without_titles_a_name_that_some_tell_groups_them() -> None:
    events = events_of(
        "In 1970 the rover Lunokhod 1 drove.",
        "In 1971 the rover Lunokhod 1 stopped.",
        "In 1966 the lander Luna 9 came down.",
        "In 1959 the probe Luna 2 hit the Moon.",
    )
    assert group_events(events) == ["Lunokhod 1", "Lunokhod 1", "", ""]


def test_what_was_asked_for_sets_nothing_apart() -> None:
    events = events_of("In 1971 it reached Mars.", "In 1976 it saw Mars.", "In 1966 it fell.", "In 1967 it rose.")
    assert group_events(events, frozenset({"Mars"})) == ["", "", "", ""]


def test_events_of_one_day_belong_together_for_want_of_anything_else() -> None:
    events = events_of(
        "On 20 July 1969 it landed.", "On 20 July 1969 he spoke.", "In 1966 it fell.", "In 1967 it rose."
    )
    assert group_events(events) == ["1969-07-20", "1969-07-20", "", ""]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("On 5 July the rover Lunokhod 1 met Neil Armstrong.", ["Lunokhod 1", "Neil Armstrong"]),
        ("Landing was easy.", []),
        ("Deep Space 2 was lost in March.", ["Deep Space 2"]),
    ],
)
def test_names_are_runs_of_capitals_with_their_number(text: str, names: list[str]) -> None:
    assert names_in(text, language="en") == names
