"""Code stands when one passage has all of its lines, a quotation when a passage has its words."""

import pytest

from libs.contracts.answers import Verdict
from libs.contracts.evidence import Evidence, Passage, Reference
from services.answer.writing.code import check_code, reported_quote

OTHER = Reference(1, Evidence(Passage("a#0", "a", "Start it with parley up.")))
GUIDE = Reference(
    2, Evidence(Passage("b#0", "b", "Install it:\n\npip install parley\nparley up --port 50051\n\nDone."))
)


def test_the_passage_that_has_it_is_cited_by_the_lines() -> None:
    citation = check_code(1, ["pip install parley", "  parley up --port 50051"], [OTHER, GUIDE])
    assert citation.verdict is Verdict.VERIFIED
    (span,) = citation.references
    assert (span.number, span.quote) == (2, "pip install parley\nparley up --port 50051")


@pytest.mark.parametrize("line", ["# then start it", "// or so", "...", ""])
def test_comments_and_gaps_claim_nothing(line: str) -> None:
    assert check_code(1, ["pip install parley", line], [GUIDE]).verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    "line", ["parley up --port 50052", "parley up --port 5005", "--port 50052", "#define PORT 1", "rm -rf /"]
)
def test_a_line_of_its_own_takes_all_of_it_back(line: str) -> None:
    assert check_code(1, ["pip install parley", line], [OTHER, GUIDE]).verdict is Verdict.WITHDRAWN


def test_comments_alone_are_no_code() -> None:
    assert check_code(1, ["# nothing"], [GUIDE]).verdict is Verdict.WITHDRAWN


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
