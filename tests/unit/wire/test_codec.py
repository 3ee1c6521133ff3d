"""Vocabulary and messages say the same, field by field."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

import pytest

from libs.contracts.answers import Answer, Citation, CitedSpan, Verdict
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.dates import PartialDate, Precision, TimeRange
from libs.contracts.evidence import EngineScores, Evidence, Passage, RankedPassage, Reference, Relevance
from libs.contracts.query import Decision, DecisionRecord, QueryGraph, QueryNode, WeightedQuery, WeightedTerm
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.spans import Span
from libs.contracts.timeline import EventSource, Granularity, Timeline, TimelineEvent
from libs.contracts.understanding import Grounded, GroundedKind, Understanding
from libs.contracts.usage import CostSource, Stage, Usage, UsageSource
from libs.contracts.wire.codec import from_message, message_with, to_message
from parley.context.v1 import basics_pb2, evidence_pb2, query_pb2, session_pb2

PASSAGE = Passage("viking-1#2", "viking-1", "It landed.", span=Span(350, 360), metadata={"agency": "NASA"})
RECORD = DecisionRecord(
    Decision.CONDENSE,
    "a dangling pronoun",
    raw="when did it land?",
    standalone="when did Viking 1 land",
    added_terms=(WeightedTerm("Viking", 0.4),),
    query=WeightedQuery("when did it land?", terms=(WeightedTerm("Viking", 0.4),)),
)
EVENT = TimelineEvent(
    "e1", "It landed.", PartialDate(1976, 7), Precision.MONTH, sources=(EventSource("viking-1#2", "viking-1"),)
)
TURN = Turn(
    question_id="q-1",
    question="when did it land?",
    record=RECORD,
    understanding=Understanding(grounded=(Grounded(GroundedKind.TIME, "last week", Span(3, 12)),)),
    graph=QueryGraph((QueryNode("1", "when did Viking 1 land", need_rag=False, answer=""),)),
    references=(Reference(1, Evidence(PASSAGE, EngineScores(lexical=0.0, fused=1.5), 1, Relevance.HIGH)),),
    answer=Answer("It landed. [1]", (Citation(1, (CitedSpan(1, "viking-1#2", Span(0, 10)),), Verdict.VERIFIED, 1.0),)),
    timeline=Timeline((EVENT,), Granularity.MONTH),
    usage=(Usage(Stage.ANSWER, "write", 3.5, usage_source=UsageSource.NONE, cost_source=CostSource.NONE),),
    outcome=Outcome.ANSWERED,
    asked_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
)


def test_a_whole_conversation_comes_back_as_it_was() -> None:
    context = SessionContext("s-1", (TURN,), (HistoryMessage(Speaker.USER, "hello"),), ("ann",), 4)
    message = to_message(context, session_pb2.SessionContext)
    assert from_message(session_pb2.SessionContext.FromString(message.SerializeToString()), SessionContext) == context


def test_absence_differs_from_zero() -> None:
    scores = to_message(EngineScores(lexical=0.0), evidence_pb2.EngineScores)
    assert scores.HasField("lexical")
    assert not scores.HasField("vector")
    assert from_message(scores, EngineScores) == EngineScores(lexical=0.0, vector=None)


def test_an_enum_goes_by_its_name() -> None:
    assert to_message(RECORD, query_pb2.DecisionRecord).decision == query_pb2.DECISION_CONDENSE


def test_an_unspecified_enum_takes_the_default_of_the_field() -> None:
    assert from_message(evidence_pb2.Evidence(passage=evidence_pb2.Passage()), Evidence).relevance is Relevance.LOW


def test_an_empty_message_that_is_there_stays_there() -> None:
    record = to_message(DecisionRecord(Decision.PASS, "", "a", "a", query=WeightedQuery("")), query_pb2.DecisionRecord)
    assert record.HasField("query")


def test_a_value_can_be_one_field_of_a_message_also_when_it_is_empty() -> None:
    query = WeightedQuery("mariner 9", terms=(WeightedTerm("orbit", 0.4),))
    whole = query_pb2.DecisionRecord(query=to_message(query, query_pb2.WeightedQuery))
    assert message_with(query_pb2.DecisionRecord, "query", query) == whole
    assert message_with(query_pb2.DecisionRecord, "query", WeightedQuery("")).HasField("query")


def test_what_is_longer_than_the_contract_allows_is_written_up_to_its_limit() -> None:
    terms = tuple(WeightedTerm(f"{number}", 1.0) for number in range(600))
    query = to_message(WeightedQuery("a" * 8193, terms=terms), query_pb2.WeightedQuery)
    assert query.text == "a" * 8192
    assert [term.term for term in query.terms] == [f"{number}" for number in range(512)]


@pytest.mark.parametrize(
    ("moment", "hours", "day"), [(datetime.min, 13, "0001-01-01"), (datetime.max, -11, "9999-12-31")]
)
def test_a_moment_that_its_zone_puts_outside_the_calendar_becomes_its_end(
    moment: datetime, hours: int, day: str
) -> None:
    time_range = TimeRange(start=moment.replace(tzinfo=timezone(timedelta(hours=hours))))
    written = to_message(time_range, basics_pb2.TimeRange)
    assert written.start.ToJsonString().startswith(day)


def test_a_name_is_never_shortened_to_another_one() -> None:
    passage = RankedPassage("p" * 2000, 1.0)
    assert to_message(passage, evidence_pb2.RankedPassage).passage_id == "p" * 2000


def test_a_field_without_a_counterpart_is_an_error_of_the_pair() -> None:
    @dataclass(frozen=True)
    class Stranger:
        nickname: str = "x"

    with pytest.raises(TypeError, match=r"Stranger\.nickname is missing in parley\.context\.v1\.Span"):
        to_message(Stranger(), basics_pb2.Span)


def test_a_local_field_is_neither_written_nor_read() -> None:
    @dataclass(frozen=True)
    class Noted:
        start: int = 0
        note: str = field(default="", metadata={"local": True})

    message = to_message(Noted(3, "mine"), basics_pb2.Span)
    assert message == basics_pb2.Span(start=3)
    assert from_message(message, Noted) == Noted(3)


def test_values_do_not_share_what_can_be_changed() -> None:
    one, other = (from_message(evidence_pb2.Passage(passage_id=name), Passage) for name in ("a", "b"))
    one.metadata["agency"] = "NASA"
    assert other.metadata == {}
