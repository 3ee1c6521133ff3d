"""Code stands when one passage has all of its lines."""

import pytest

from libs.contracts.answers import Citation, Verdict
from libs.contracts.evidence import Evidence, Passage, Reference
from services.answer.writing.checks.verbatim import check_verbatim
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
