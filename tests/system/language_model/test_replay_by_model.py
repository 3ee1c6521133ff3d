"""A recorded turn of a language model is run again: the same model says the same, another one is found out."""

from collections.abc import Callable

import grpc
import pytest

from parley.context.v1 import usage_pb2
from parley.gateway.v1 import replay_pb2, replay_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.language_model.lighthouse import FOLLOW_UP, HEIGHT, HISTORY, STANDALONE, standalone
from tests.system.model_turns import Asker

pytestmark = pytest.mark.xdist_group("language model")


def saying(height: str) -> Callable[[LlmRequest], str]:
    """A model that condenses the follow-up and writes this."""
    return lambda request: height if request.writes else standalone(STANDALONE)


def replay(asker: Asker, turn_id: str) -> dict[str, replay_pb2.ReplayResponse]:
    """The calls that were compared, by method."""
    with grpc.insecure_channel(f"127.0.0.1:{asker.port}") as channel:
        request = replay_pb2.ReplayRequest(turn_id=turn_id)
        responses = replay_pb2_grpc.ReplayServiceStub(channel).Replay(request, timeout=60)
        return {r.call.method: r for r in responses if r.verdict != replay_pb2.REPLAY_VERDICT_NOT_COMPARED}


def test_a_model_that_says_the_same_differs_nowhere(asker: Asker, llm: ScriptedLlm) -> None:
    llm.answer_with(saying(HEIGHT))
    request = asker.request(FOLLOW_UP, *HISTORY)
    request.options.record = True
    (turn_id,) = {response.event.turn_id for response in asker.gateway.Ask(request, timeout=60)}
    verdicts = {method: response.verdict for method, response in replay(asker, turn_id).items()}
    assert {"CondenseInSteps", "Write"} <= set(verdicts)
    assert set(verdicts.values()) == {replay_pb2.REPLAY_VERDICT_SAME}

    llm.answer_with(saying("The tower of the lighthouse of Harrow Point stands 43 metres high [1]."))
    calls = replay(asker, turn_id)
    assert calls["CondenseInSteps"].verdict == replay_pb2.REPLAY_VERDICT_SAME
    assert calls["Write"].verdict == replay_pb2.REPLAY_VERDICT_DIFFERENT
    assert calls["Write"].call.stage == usage_pb2.STAGE_ANSWER
    assert "42" in calls["Write"].differences[0].recorded_value
