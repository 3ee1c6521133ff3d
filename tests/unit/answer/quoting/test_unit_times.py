"""Which pieces are quoted for a question that asks for a time."""

from datetime import UTC, datetime

import pytest

from libs.contracts.dates import TimeRange
from libs.contracts.evidence import Reference
from libs.contracts.options import Length
from libs.contracts.query import QueryNode
from libs.contracts.stages.answer import WriteRequest
from libs.contracts.understanding import RangeUse, Understanding
from services.answer.citing.drafts import AnswerDraft
from services.answer.quoting.drafting import draft_answer
from tests.unit.answer.quoting.asking import reference_to, search

MARCH = TimeRange(datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC))
LOG = "- 8 March 2027: pump painted\n- 3 February 2027: pump failed\n- 12 May 2026: pump bought"


def draft(question: str, *references: Reference, use: RangeUse = RangeUse.FILTER) -> AnswerDraft:
    understanding = Understanding(grounded_query=question, time_range=MARCH, range_use=use)
    node = QueryNode("1", question)
    request = WriteRequest(
        question, None, references, understanding=understanding, searches=(search(node.id, question, *references),)
    )
    return draft_answer(request, Length.MEDIUM, 0.5)


def quoted(answer: AnswerDraft) -> str:
    return " ".join(sentence.text for paragraph in answer.paragraphs for sentence in paragraph).replace("**", "")


@pytest.mark.parametrize("use", list(RangeUse))
def test_a_line_of_another_time_is_left_out(use: RangeUse) -> None:
    answer = quoted(draft("What happened to the pump?", reference_to(LOG), use=use))
    assert "painted" in answer
    assert "failed" not in answer
    assert "bought" not in answer


def test_a_line_is_of_the_time_of_its_heading_and_a_sentence_of_the_one_before() -> None:
    entry = reference_to("- pump painted", "a", headings=("8 March 2027",))
    story = reference_to(
        "On 9 March 2027 the pump ran. The pump was loud. In May 2026 the pump had been new.", "b", rank=2
    )
    answer = quoted(draft("What happened to the pump?", entry, story))
    assert "painted" in answer
    assert "The pump was loud." in answer
    assert "May 2026" not in answer


def test_with_nothing_of_the_time_the_nearest_is_shown_as_no_answer() -> None:
    answer = draft("What happened to the pump?", reference_to("- 3 February 2027: pump failed"))
    assert answer.abstained
    assert "failed" in quoted(answer)


def test_what_has_no_date_is_quoted_as_before() -> None:
    answer = draft("What happened to the pump?", reference_to("The pump was painted. It works."))
    assert not answer.abstained
    assert "painted" in quoted(answer)


def test_when_something_was_that_is_named_by_an_absolute_time_is_of_any_time() -> None:
    reference = reference_to("The pump bought in March 2027 failed on 3 May 2028.")
    answer = quoted(draft("When did the pump bought in March 2027 fail?", reference, use=RangeUse.BOOST))
    assert "3 May 2028" in answer
