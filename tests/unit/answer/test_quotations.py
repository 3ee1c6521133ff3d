"""A sentence that only reports what stands somewhere claims what it quotes."""

import pytest

from services.answer.writing.code import reported_quote


@pytest.mark.parametrize(
    "sentence",
    [
        "In den Unterlagen steht dazu: „The gate opens at eight“.",
        'The handbook says: "The gate opens at eight"',
        "Le guide dit : «The gate opens at eight».",
        "文档写道：「The gate opens at eight」。",
    ],
)
def test_the_quotation_behind_a_colon_is_the_claim(sentence: str) -> None:
    assert reported_quote(sentence, language="en") == "The gate opens at eight"


@pytest.mark.parametrize(
    "sentence",
    [
        "The gate opens at eight.",
        "The handbook doesn't say: “The gate opens at eight”.",
        "In 1999 the handbook said: “The gate opens at eight”.",
        "He calls it: “open”.",
        "“The gate opens at eight” is what the handbook says.",
        "The handbook says: “The gate opens at eight” and closes at nine.",
    ],
)
def test_a_sentence_that_claims_more_is_judged_itself(sentence: str) -> None:
    assert reported_quote(sentence, language="en") is None
