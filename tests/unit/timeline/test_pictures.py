"""An event may carry a picture of its own document, a good one that shows what it tells."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import ImageReference
from services.timeline.events import find_events
from tests.unit.timeline.evidence_making import draw_timeline, evidence, passage

TEXT = "Viking 1 landed on Mars on 20 July 1976. The rover Sojourner left its ramp on 6 July 1997."
LANDER = ImageReference("lander", "The lander Viking 1 on Mars", width=640, height=480)
ROVER = ImageReference("rover", "The rover Sojourner beside its ramp", width=640, height=480)


def pictures(*images: ImageReference, text: str = TEXT) -> dict[str, str]:
    """The picture of each event that has one, by the event's year."""
    statements = find_events("What happened when?", evidence(replace(passage(text), images=images)))
    events = draw_timeline(statements, 10).events
    return {str(event.start.year): event.image.image_id for event in events if event.image}


def test_each_event_has_the_picture_whose_caption_tells_it() -> None:
    assert pictures(ROVER, LANDER) == {"1976": "lander", "1997": "rover"}


def test_a_picture_stands_beside_one_event_only_the_one_it_fits_best() -> None:
    text = f"{TEXT} Viking 1 sent its last words from Mars in 1982."
    assert pictures(LANDER, text=text) == {"1976": "lander"}


@pytest.mark.parametrize("caption", ["", "A nebula in Orion", "Mars"])
def test_a_picture_of_something_else_is_left_out(caption: str) -> None:
    assert pictures(replace(LANDER, caption=caption)) == {}


def test_a_picture_that_shows_nothing_is_left_out() -> None:
    assert pictures(replace(LANDER, entropy=0.9)) == {}
