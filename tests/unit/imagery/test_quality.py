"""Which pictures show something: the rules that stages share."""

from dataclasses import replace

import pytest

from libs.contracts.evidence import ImageReference
from libs.documents.picture_quality import is_good

LANDER = ImageReference("lander", "The lander Viking 1 on Mars", width=640, height=480)


@pytest.mark.parametrize(
    ("image", "good"),
    [
        (LANDER, True),
        (replace(LANDER, width=250, height=250), True),
        (replace(LANDER, width=249), False),
        (replace(LANDER, height=249), False),
        (replace(LANDER, width=0, height=0), False),
        (replace(LANDER, width=1600, height=300), False),
        (replace(LANDER, width=300, height=1600), False),
        (replace(LANDER, caption="Logo of Viking 1 on Mars"), False),
        (replace(LANDER, url="https://example.org/icons/icon_mars.png"), False),
        (replace(LANDER, caption="An iconic picture of Viking 1 on Mars"), True),
        (replace(LANDER, entropy=0.0), False),
        (replace(LANDER, entropy=1.9), False),
        (replace(LANDER, entropy=2.6), True),
        (replace(LANDER, entropy=6.5), True),
    ],
)
def test_only_large_full_pictures_no_strips_and_no_decoration_are_good(image: ImageReference, good: bool) -> None:
    assert is_good(image) is good


def test_a_picture_that_nobody_measured_is_judged_by_the_rest() -> None:
    assert is_good(LANDER)
    assert LANDER.entropy is None
