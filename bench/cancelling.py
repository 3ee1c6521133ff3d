"""Turns cancelled at random moments, and when the language model's streams end: `python -m bench.cancelling [TURNS]`.

A whole suite whose tasks a scripted, slow model does; 16 callers. Half of the turns are cancelled by Cancel, the others
by the end of their stream. For each answer of the model that ran when its turn was cancelled: the milliseconds from
the cancel to the end of the connection, which is the last one of a turn's way (caller, gateway, stage, model).
"""

import json
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import grpc

from bench.samples import report, spread
from bench.suite import RunningSuite, running_suite
from bench.turns import Stub, gateway_at
from parley.gateway.v1 import event_pb2, gateway_pb2
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm, in_a_thread

CALLERS: Final = 16  # taste, as the numbers below that name no source
LONGEST_SECONDS: Final = 1.5
"""From a turn's first event to its cancel, at most."""
REFUSED_SECONDS: Final = 0.3
"""Before a turn is asked again that was refused because too many run: 16 callers are more than some machines take."""
PACE: Final = 0.02
"""Seconds between two words of the model."""
TARGET: Final = 250.0
"""Milliseconds within which a stream ends: a goal."""
NOTE: Final = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"
SETTINGS: Final = {"PARLEY_LLM_MODEL": "scripted-1", "PARLEY_LLM_RETRIES": "0"}


@dataclass
class CancelledTurn:
    """One turn."""

    mark: str
    """A word of its question, which the model is shown; also its session."""
    by_rpc: bool
    cancelled: float = 0.0
    """When, in seconds of time.monotonic."""
    rpc_milliseconds: float = 0.0
    state: str = ""
    """What Cancel said."""


@dataclass
class Cancels:
    """What became of them."""

    turns: list[CancelledTurn] = field(default_factory=list)
    stream_milliseconds: list[float] = field(default_factory=list)
    """From the cancel to the end of each answer of the model that ran then."""
    open_streams: int = 0
    """Answers of the model that still ran in the end."""


def written(request: LlmRequest) -> str:
    """A long answer; any form is filled in as for an ordinary question."""
    if request.writes:
        return " ".join(["Phoenix landed on Mars on 25 May 2008 [1]."] * 40)
    form = {"suffices": True, "parts": [], "standalone": "", "category": "none", "unclear": "", "names": []}
    return json.dumps(form)


def cancel_turns(suite: RunningSuite, llm: ScriptedLlm, count: int) -> Cancels:
    """Ask turns of 16 callers and cancel each."""
    turns = [CancelledTurn(f"case{number:04d}", by_rpc=number % 2 == 0) for number in range(count)]
    with gateway_at(suite.address) as stub, ThreadPoolExecutor(CALLERS) as pool:
        list(pool.map(lambda turn: _cancel(stub, turn), turns))
    time.sleep(1)
    ended = {id(request): moment for request, moment in llm.ended}
    cancels = Cancels(turns)
    by_mark = {turn.mark: turn for turn in turns}
    for request in llm.requests:
        turn = next((turn for mark, turn in by_mark.items() if mark in request.prompt), None)
        if id(request) not in ended:
            cancels.open_streams += 1
        elif turn is not None and ended[id(request)] > turn.cancelled:
            cancels.stream_milliseconds.append((ended[id(request)] - turn.cancelled) * 1000)
    return cancels


def _cancel(stub: Stub, turn: CancelledTurn) -> None:
    options = gateway_pb2.RequestOptions(resumable=turn.by_rpc, progress=True)
    question = f"When did Phoenix land on Mars, {turn.mark}?"
    call, event = _begin(stub, gateway_pb2.AskRequest(question=question, session_id=turn.mark, options=options))
    time.sleep(random.uniform(0, LONGEST_SECONDS))
    turn.cancelled = time.monotonic()
    if turn.by_rpc:
        response = stub.Cancel(gateway_pb2.CancelRequest(turn_id=event.turn_id), timeout=30)
        turn.rpc_milliseconds = (time.monotonic() - turn.cancelled) * 1000
        turn.state = gateway_pb2.TurnState.Name(response.state).removeprefix("TURN_STATE_")
    else:
        call.cancel()
    with suppress(grpc.RpcError):
        list(call)


def _begin(stub: Stub, request: gateway_pb2.AskRequest) -> tuple[Any, event_pb2.Event]:
    """Ask until the turn is admitted; return the call and its first event."""
    while True:
        call = stub.Ask(request, timeout=60)
        try:
            return call, next(call).event
        except grpc.RpcError:
            if call.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            time.sleep(REFUSED_SECONDS)


def main() -> int:
    """Measure and print; 1 if an answer of the model went on."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as name, in_a_thread() as llm:
        folder = Path(name)
        (folder / "phoenix.md").write_text(NOTE, encoding="utf-8")
        llm.answer_with(written, delay=PACE)
        with running_suite(folder / "data", SETTINGS | {"PARLEY_LLM_BASE_URL": llm.base_url}) as suite:
            suite.parley("ingest", str(folder / "phoenix.md"))
            cancels = cancel_turns(suite, llm, count)
    rpcs = [turn.rpc_milliseconds for turn in cancels.turns if turn.by_rpc]
    streams = cancels.stream_milliseconds
    rows = [
        ("answers of the model that ran", str(len(streams)), ""),
        ("cancel to the end of such an answer", spread(streams), ""),
        ("  at most", f"{max(streams):.0f} ms", f"< {TARGET:.0f} ms"),
        ("Cancel returns", spread(rpcs), ""),
        ("answers that went on", str(cancels.open_streams), "0"),
    ]
    report(f"{len(cancels.turns)} turns cancelled, {CALLERS} callers", rows)
    return 1 if cancels.open_streams else 0


if __name__ == "__main__":
    sys.exit(main())
