"""Words as they are compared across accents."""

import pytest

from libs.text.tokens import fold


@pytest.mark.parametrize("text", ["Júpiter", "JUPITER", "jupiter", "Ju\u0301piter"])
def test_case_and_accents_are_folded_away(text: str) -> None:
    assert fold(text) == "jupiter"
