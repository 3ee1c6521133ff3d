"""Answers in a notebook: numbers know their passages, and nothing of a document becomes markup."""

from dataclasses import replace

from parley.client import Answer, Citation, CitedSpan, Degraded, Outcome, Passage, Reference, Timeline, Verdict
from parley.client.values import Moment, TimelineEvent

EVIL = '<script>alert("x")</script>'
PASSAGE = Passage("d#0", "d", f"{EVIL} Fox landed.", title=EVIL, url="https://example.org/?a=1&b=2", date="2031-03-03")
SPAN = CitedSpan(1, "Fox landed.", 30, 41, PASSAGE)
ANSWER = Answer(
    "When?",
    text=f"Fox landed. [1] {EVIL}\n\nAnd stayed. [7]",
    outcome=Outcome.ANSWERED,
    references=(Reference(1, PASSAGE, 0.5),),
    citations=(Citation(1, "Fox landed.", Verdict.WEAK, 0.5, 'no "date"', (SPAN,)),),
    recommendations=(EVIL,),
    degraded=(Degraded("timeline", "STAGE_UNAVAILABLE", "There is no timeline."),),
    timeline=Timeline((TimelineEvent("1", EVIL, Moment(2031, 3), Moment(2031, 4), "March", (SPAN,)),), (EVIL,)),
)


def test_nothing_of_a_document_becomes_markup() -> None:
    html = ANSWER._repr_html_() + ANSWER.citations[0]._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_a_number_shows_its_passage_and_the_source_is_linked() -> None:
    html = ANSWER._repr_html_()
    assert f'<abbr title="{"&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;"} Fox landed.">[1]</abbr>' in html
    assert "[7]" in html  # names no reference, so it stays as it is
    assert 'href="https://example.org/?a=1&amp;b=2"' in html
    assert html.count("<p>") >= 2


def test_only_addresses_of_the_web_are_linked() -> None:
    passage = replace(PASSAGE, url="javascript:alert(1)")
    answer = replace(ANSWER, references=(Reference(1, passage, 0.5),), timeline=None)
    assert "href" not in answer._repr_html_()


def test_what_is_not_complete_is_said() -> None:
    assert "There is no timeline." in ANSWER._repr_html_()
    assert "abstained" in replace(ANSWER, outcome=Outcome.ABSTAINED)._repr_html_()


def test_a_timeline_is_a_table_of_dates() -> None:
    html = ANSWER.timeline._repr_html_() if ANSWER.timeline else ""
    assert "<th>2031-03 – 2031-04</th>" in html


def test_a_citation_says_its_verdict_and_the_reason() -> None:
    html = ANSWER.citations[0]._repr_html_()
    assert 'title="no &quot;date&quot;"' in html
    assert "weak" in html
    assert "<q>Fox landed.</q>" in html
