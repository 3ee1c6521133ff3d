"""An answer that is written while language models still read the question stays untold until they let it pass.

The writer answers at once, every sentence of it is true and would be shown; the reader says what it thinks of the
question only then.
"""

import time
from collections.abc import Iterator

import grpc
import pytest

from parley.gateway.v1 import gateway_pb2
from tests.fakes.scripted_llm import ScriptedLlm, in_a_thread
from tests.system.answering_at_once import Models, Suite, TurnResult, answering_at_once, until_it_fails
from tests.system.leaking import MARKER, REFUSED, UNCLEAR, WAYS, Way

pytestmark = [pytest.mark.xdist_group("no leak"), pytest.mark.slow]

ORDINARY = "When did the waterworks open?"
BY_DEFAULT, WATCHED = WAYS[0], Way("watched", gateway_pb2.RequestOptions(progress=True, pro=True))
GONE_SECONDS = 1.0
"""In which the gateway hears that a caller is gone, and stores what it keeps of a turn."""
OF_THE_QUESTION = {"state", "condensed"}
"""Events that may come before a question is understood."""
OF_A_TURN = {"state", "condensed", "understanding", "degraded", "usage", "completed"}
"""Events that tell nothing of an answer."""
OF_AN_ANSWER = {"plan", "sub_query", "references", "text", "citation", "timeline", "text_end", "recommendation"}
by_every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)


@pytest.fixture(scope="module")
def suite(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    folder = tmp_path_factory.mktemp("leaking")
    with in_a_thread() as reader, answering_at_once(folder, Models(reader, server)) as suite:
        yield suite


def kinds(result: TurnResult) -> set[str]:
    return {str(event.WhichOneof("event")) for event in result.turn.events}


def nothing_is_told(result: TurnResult, words: str) -> bool:
    """Whether these words of the suite are all that a turn says."""
    turn = result.turn
    return (
        MARKER not in result.everything
        and kinds(result) <= OF_A_TURN | {"references", "text", "text_end"}
        and (turn.references, turn.text, "".join(turn.streamed)) == ({}, words, words)
        and result.reference_count == 0
    )


def refuses(result: TurnResult) -> bool:
    """Whether a turn tells a refusal, and nothing else."""
    reason = result.turn.understanding.question_rejection.reject_reason
    return result.turn.outcome == "OUTCOME_REJECTED" and nothing_is_told(result, reason)


def asks_back(result: TurnResult) -> bool:
    """Whether a turn tells a question back, and nothing else."""
    supplement = result.turn.understanding.question_supplement
    choices = [f"{number}. {choice}" for number, choice in enumerate(supplement.supply_choices, start=1)]
    words = "\n".join((supplement.supply_description, *choices))
    return result.turn.outcome == "OUTCOME_ASKED" and len(choices) >= 2 and nothing_is_told(result, words)


@by_every_way
class TestNoWordIsTold:
    """Whatever is asked for besides."""

    def test_of_an_answer_to_a_refused_question(self, suite: Suite, way: Way) -> None:
        in_vain = []
        for bad in REFUSED[WAYS.index(way) :: len(WAYS)]:
            suite.models.read_as(waiting=way.writes, category=bad.category, offending=bad.offending)
            result = suite.ask(bad.question, way, f"refused-{REFUSED.index(bad)}")
            assert refuses(result), (bad, result)
            assert result.turn.understanding.engine == "llm"
            in_vain.append(suite.models.written == 1 and result.written_in_vain)
        assert sum(in_vain) > len(in_vain) / 2 or not way.writes

    def test_of_an_answer_to_an_unclear_question(self, suite: Suite, way: Way) -> None:
        in_vain = []
        for unclear in UNCLEAR[WAYS.index(way) :: len(WAYS)]:
            suite.models.read_as(waiting=way.writes, unclear=unclear.words)
            result = suite.ask(unclear.question, way, f"unclear-{UNCLEAR.index(unclear)}")
            assert asks_back(result), (unclear, result)
            assert result.turn.understanding.engine == "llm"
            in_vain.append(suite.models.written == 1 and result.written_in_vain)
        assert sum(in_vain) > len(in_vain) / 2 or not way.writes


def test_a_caller_who_leaves_before_the_verdict_gets_nothing_then_or_later(suite: Suite) -> None:
    calls: list[grpc.RpcContext] = []

    def leaving() -> None:
        """The reader says nothing before the gateway knows that the caller is gone."""
        calls.pop().cancel()
        time.sleep(GONE_SECONDS)

    suite.models.read_as(then=leaving)
    calls.append(call := suite.asker.gateway.Ask(suite.request(ORDINARY, WATCHED, "left"), timeout=30))
    events, status = until_it_fails(call)
    assert (status, suite.models.written) == (grpc.StatusCode.CANCELLED, 1)
    assert {event.WhichOneof("event") for event in events} <= OF_THE_QUESTION
    assert MARKER not in str(events)
    time.sleep(GONE_SECONDS)
    assert not suite.keeps("left")


class TestItWouldBeTold:
    """The same answers, where the reader lets the question pass."""

    @by_every_way
    def test_to_an_ordinary_question(self, suite: Suite, way: Way) -> None:
        suite.models.read_as(waiting=way.writes)
        result = suite.ask(ORDINARY, way, f"ordinary-{WAYS.index(way)}")
        assert result.turn.outcome == "OUTCOME_ANSWERED"
        assert MARKER in "".join(result.turn.streamed)
        assert MARKER in result.turn.text
        assert result.reference_count > 0

    @by_every_way
    def test_to_a_question_that_was_refused(self, suite: Suite, way: Way) -> None:
        suite.models.read_as(waiting=way.writes)
        turn = suite.ask(REFUSED[WAYS.index(way)].question, way, f"passed-{WAYS.index(way)}").turn
        assert MARKER in "".join(turn.streamed)
        assert MARKER in turn.text

    def test_with_everything_that_an_answer_contains(self, suite: Suite) -> None:
        (way,) = [way for way in WAYS if way.name == "with a timeline"]
        suite.models.read_as()
        assert kinds(suite.ask(ORDINARY, way, "all")) >= OF_AN_ANSWER

    def test_and_no_question_holds_a_word_of_it(self) -> None:
        assert (len({bad.question for bad in REFUSED}), len({unclear.question for unclear in UNCLEAR})) == (200, 50)
        assert MARKER not in str((REFUSED, UNCLEAR))

    def test_and_no_option_is_left_out(self) -> None:
        options = {option.name for way in WAYS for option, _ in way.options.ListFields()}
        assert options == set(gateway_pb2.RequestOptions.DESCRIPTOR.fields_by_name)
