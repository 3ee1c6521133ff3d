"""Things told apart by their place in a row."""

import pytest

from services.answer.ordinals import tells_of_another


@pytest.mark.parametrize(
    "sentence",
    [
        "The second well is 14 metres deep.",
        "The first and the second well are dry.",
        "Both the first and second wells are dry.",
        "The first, second and third wells are dry.",
        "The well is dry.",
        "The first pump stands there.",
    ],
)
def test_what_tells_of_the_wanted_one_or_of_none_in_its_row_is_not_about_another(sentence: str) -> None:
    assert not tells_of_another("How deep is the second well?", sentence, language="en")


@pytest.mark.parametrize("sentence", ["The first well is 9 metres deep.", "The third and the last well are dry."])
def test_what_tells_of_others_in_the_row_alone_is_about_another(sentence: str) -> None:
    assert tells_of_another("How deep is the second well?", sentence, language="en")


def test_a_question_about_no_row_has_no_others() -> None:
    assert not tells_of_another("How deep is the well?", "The first well is 9 metres deep.", language="en")
