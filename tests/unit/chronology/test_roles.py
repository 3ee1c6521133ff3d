"""Whether a date is that of what the sentence tells, or of something else."""

import pytest

from libs.chronology.roles import Role, role_of
from libs.text.dates import find_dates
from tests.unit.timeline.evidence_making import day


def roles(text: str) -> list[Role]:
    return [role_of(text, mention, day("2024-06-01"), language="en") for mention in find_dates(text, language="en")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Apollo 11 landed on 20 July 1969.", [Role.EVENT]),
        ("In July 1969 three men flew to the Moon.", [Role.EVENT]),
        ("It landed in 2004 as planned.", [Role.EVENT]),
        ("The rover worked until 2010.", [Role.BOUND]),
        ("Pictures of 2015 showed the lander, missing since December 2003.", [Role.ASIDE, Role.BOUND]),
        ("The landing had been planned for 4 July 1976.", [Role.PLANNED]),
        ("The probe is to reach Jupiter in 2023.", [Role.PLANNED]),
        ("The probe reaches Jupiter in July 2031.", [Role.PLANNED]),
        ("The crater is named after Johannes Kepler, born in 1571.", [Role.ASIDE]),
        ("Kepler (1571-1630) computed the orbit.", [Role.ASIDE]),
        ("The 1971 mission failed.", [Role.ASIDE]),
        ("It flew farther than in 1971.", [Role.ASIDE]),
        ("Hope was launched on 19 July 2020.", [Role.EVENT]),
        ("The launch was planned for 2016 but took place in 2018.", [Role.PLANNED, Role.EVENT]),
        ("The summer of 1962 began badly.", [Role.EVENT]),
    ],
)
def test_the_words_around_a_date_tell_its_role(text: str, expected: list[Role]) -> None:
    assert roles(text) == expected
