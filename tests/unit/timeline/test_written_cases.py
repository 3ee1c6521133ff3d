"""Written cases, from documents to the timeline.

A case gives documents and what the timeline says: an event a word, its date (`1969-07-20`, `1970/1979` for a stretch),
with `x2` for two documents that tell it and `!` for a conflict.
"""

import pytest

from services.timeline.extraction.events import find_events
from tests.unit.timeline.evidence_making import documents, draw_timeline, when

Cases = list[tuple[str, ...]]
LANDED = "Luna 9 landed on the Moon {}."

DUPLICATES: Cases = [
    ("1966-02-03x2", LANDED.format("on 3 February 1966"), "On 3 February 1966 Luna 9 landed on the Moon."),
    ("1966-02-03x2", LANDED.format("on 3 February 1966"), LANDED.format("on February 3, 1966")),
    ("1966-02-03x2", LANDED.format("on 3 February 1966"), LANDED.format("on 1966-02-03")),
    ("1966-02-03x2", LANDED.format("on 3 February 1966"), LANDED.format("in 1966")),
    ("1966-02-03x2", LANDED.format("in February 1966"), LANDED.format("on 3 February 1966")),
    ("1966-02x2", LANDED.format("in the 1960s"), LANDED.format("in February 1966")),
    ("1966-02-03x3", LANDED.format("in 1966"), LANDED.format("on 3 February 1966"), LANDED.format("in February 1966")),
    ("1966-02-03x2", LANDED.format("on 3 February 1966"), "Luna 9 landed safely on the Moon on 3 February 1966."),
    ("1966-02-03x2", LANDED.format("on 3 February 1966 [1]"), LANDED.format("on 3 February 1966 (Ivanov, 1967)")),
    ("1966-02-03 1966-12-24", LANDED.format("on 3 February 1966"), "Luna 13 landed on the Moon on 24 December 1966."),
    ("1966-01-31 1966-02-03", "Luna 9 was launched on 31 January 1966.", LANDED.format("on 3 February 1966")),
    ("1921 1921", "The town of Riga signed a treaty in 1921.", "The town of Narva signed a treaty in 1921."),
]
CONFLICTS: Cases = [
    ("1966-02-03! 1966-02-04!", LANDED.format("on 3 February 1966"), LANDED.format("on 4 February 1966")),
    ("1966-02-03! 1966-03-03!", LANDED.format("on 3 February 1966"), LANDED.format("on 3 March 1966")),
    ("1965! 1966!", LANDED.format("in 1965"), LANDED.format("in 1966")),
    ("1965! 1966-02-03!", LANDED.format("in 1965"), LANDED.format("on 3 February 1966")),
    ("1966-02! 1966-03!", LANDED.format("in February 1966"), LANDED.format("in March 1966")),
    ("1960/1969! 1971!", LANDED.format("in the 1960s"), LANDED.format("in 1971")),
    (
        "1966-02-03!x2 1966-02-04!",
        LANDED.format("on 3 February 1966"),
        LANDED.format("on 4 February 1966"),
        "On 3 February 1966 Luna 9 landed on the Moon.",
    ),
    ("1958 1963", "The annual congress met in Paris in 1958.", "The annual congress met in Paris in 1963."),
    ("1958 1963", "The congress met in Paris in 1958. The congress met in Paris in 1963."),
    ("1965-01-01 1966-02-03", "Luna 9 was to land on the Moon on 1 January 1965.", LANDED.format("on 3 February 1966")),
    ("1964 1966", "Ranger 7 took pictures of the Moon in 1964.", "Luna 12 took pictures of the Moon in 1966."),
    ("1990-05-01 1991-05-01", "A strike closed 4 ports on 1 May 1990.", "A strike closed 9 ports on 1 May 1991."),
]
ZONES: Cases = [
    ("2021-02-18", "The signal reached the Earth at 2021-02-18T20:55:00Z."),
    ("2021-02-18", "The signal reached the Earth on 18 February 2021 at 20:55 UTC."),
    ("2021-02-18", "The signal reached the Earth at 3:55 p.m. EST on 18 February 2021."),
    ("2021-02-18", "The signal reached the Earth at 2021-02-18T23:55:00-05:00."),
    ("2012-08-06", "Curiosity touched down at 05:17 UTC on 6 August 2012."),
    ("2012-08-06", "Curiosity touched down on 6 August 2012 (Universal Time)."),
]
LINE = "Ferry lost\nTuesday, April 11, 2023\n\n"
DATELINES: Cases = [
    ("2023-04-10", LINE + "A ferry sank yesterday."),
    ("2023-04-06", LINE + "A ferry sank on Thursday."),
    ("2023-04-11 2023-04-11", LINE + "A ferry sank this morning. Divers came."),
    ("2023-03", LINE + "The ferry was painted last month."),
    ("2022", LINE + "The ferry was painted last year."),
    ("2022-12", LINE + "The ferry was painted in December."),
    ("2023-04-11 2023-04-13", LINE + "A ferry sank today. It will be raised on Thursday."),
    ("2023-04-10", "Ferry lost in a storm\n\nTuesday, April 11, 2023\n\nA ferry sank yesterday."),
    ("1990-05", LINE + "A ferry sank here in May 1990."),
]
BY_KIND: dict[str, Cases] = {
    "duplicates": DUPLICATES,
    "conflicts": CONFLICTS,
    "zones": ZONES,
    "datelines": DATELINES,
}


def summary_of(*texts: str) -> str:
    """What the timeline says of these documents, an event a word."""
    timeline = draw_timeline(find_events("What happened when?", documents(*texts)), 50)
    rivals = {event_id for conflict in timeline.conflicts for event_id in conflict.event_ids}
    words = []
    for event in timeline.events:
        tellers = len({source.document_id for source in event.sources})
        words.append(when(event) + ("!" if event.event_id in rivals else "") + (f"x{tellers}" if tellers > 1 else ""))
    return " ".join(words)


@pytest.mark.parametrize(
    ("expected", "texts"),
    [
        pytest.param(expected, texts, id=f"{kind}-{number}")
        for kind, cases in BY_KIND.items()
        for number, (expected, *texts) in enumerate(cases, start=1)
    ],
)
def test_the_timeline_says(expected: str, texts: list[str]) -> None:
    assert summary_of(*texts) == expected
