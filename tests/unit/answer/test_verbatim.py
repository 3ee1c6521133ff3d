"""Code stands when one passage has all of its lines, a quotation when a passage has its words."""

import pytest

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Evidence, Passage, Reference
from services.answer.writing.checks.verbatim import check_verbatim, reported_quote
from services.answer.writing.pieces import Kind, SentenceEnds

OTHER = Reference(1, Evidence(Passage("a#0", "a", "Start it with parley up.")))
GUIDE = Reference(
    2, Evidence(Passage("b#0", "b", "Install it:\n\npip install parley\nparley up --port 50051\n\nDone."))
)


def check_code(lines: list[str], references: list[Reference]) -> Citation:
    return check_verbatim(1, SentenceEnds("\n".join(("```", *lines, "```")), kind=Kind.CODE), references)


def test_the_passage_that_has_it_is_cited_by_the_lines() -> None:
    citation = check_code(["pip install parley", "  parley up --port 50051"], [OTHER, GUIDE])
    assert citation.verdict is Verdict.VERIFIED
    (span,) = citation.references
    assert (span.number, span.quote) == (2, "pip install parley\nparley up --port 50051")


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("# then start it", Verdict.VERIFIED),
        ("// or so", Verdict.VERIFIED),
        ("...", Verdict.VERIFIED),
        ("", Verdict.VERIFIED),
        ("parley up --port 50052", Verdict.WITHDRAWN),
        ("parley up --port 5005", Verdict.WITHDRAWN),
        ("--port 50052", Verdict.WITHDRAWN),
        ("#define PORT 1", Verdict.WITHDRAWN),
        ("rm -rf /", Verdict.WITHDRAWN),
    ],
)
def test_each_line_of_code_must_stand_in_the_passage_but_for_comments_and_gaps(line: str, verdict: Verdict) -> None:
    assert check_code(["pip install parley", line], [OTHER, GUIDE]).verdict is verdict


def test_comments_alone_are_no_code() -> None:
    assert check_code(["# nothing"], [GUIDE]).verdict is Verdict.WITHDRAWN


@pytest.mark.parametrize(
    ("sentence", "is_quote"),
    [
        ("In den Unterlagen steht dazu: „The gate opens at eight“.", True),
        ('The handbook says: "The gate opens at eight"', True),
        ("Le guide dit : «The gate opens at eight».", True),
        ("文档写道：「The gate opens at eight」。", True),
        ("The gate opens at eight.", False),
        ("The handbook doesn't say: “The gate opens at eight”.", False),
        ("In 1999 the handbook said: “The gate opens at eight”.", False),
        ("He calls it: “open”.", False),
        ("“The gate opens at eight” is what the handbook says.", False),
        ("The handbook says: “The gate opens at eight” and closes at nine.", False),
    ],
)
def test_the_quotation_behind_a_colon_is_the_claim_of_its_sentence(sentence: str, is_quote: bool) -> None:
    assert reported_quote(sentence, language="en") == ("The gate opens at eight" if is_quote else None)
