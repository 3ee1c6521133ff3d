"""A sentence as the timeline shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.timeline.extraction.event_text import MAX_TEXT, as_event_text, citations_in


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("It landed in 1976.[3]", "It landed in 1976."),
        ("It landed [1, 2] in 1976 [citation needed].", "It landed in 1976."),
        ("It landed in 1976 (Soffen et al., 1977; Young, 1981).", "It landed in 1976."),
        (
            "It landed in 1976 (see Soffen and Young, 1977; Cambridge University Press et al., 2019).",
            "It landed in 1976.",
        ),
        ("It landed (May 2004).", "It landed (May 2004)."),
        ("It **landed** on [Mars](https://example.org/mars)\nin *1976*.", "It landed on Mars in 1976."),
        ("- Version 3 was *released* in 1976", "Version 3 was released in 1976"),
        ("Its [broken] wheel and 2 * 3 * 4 stay.", "Its [broken] wheel and 2 * 3 * 4 stay."),
    ],
)
def test_marks_of_the_page_are_taken_off(sentence: str, text: str) -> None:
    assert as_event_text(sentence, language="en") == text


def test_a_citation_is_found_where_it_stands() -> None:
    sentence = "It landed (Soffen, 1977) in 1976."
    assert [span.of(sentence).strip() for span in citations_in(sentence, language="en")] == ["(Soffen, 1977)"]


@given(st.text())
def test_no_text_is_longer_than_the_contract_allows_or_spans_lines(sentence: str) -> None:
    text = as_event_text(sentence * 20, language="en")
    assert len(text) <= MAX_TEXT
    assert "\n" not in text
