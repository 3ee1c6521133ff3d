"""`parley replay`: run a recorded turn again and show where the stages' answers differ."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Final

import typer

from cli.connection.gateway_connection import HOST, PORT, Host, Port, Principals, gateway_stub
from cli.view.output import one_line, tell, tell_json
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import recording_pb2, replay_pb2, replay_pb2_grpc

SHOWN: Final = 3
"""Differences of a call that are shown without --verbose."""
VERDICTS: Final = {
    replay_pb2.REPLAY_VERDICT_SAME: "same",
    replay_pb2.REPLAY_VERDICT_DIFFERENT: "different",
    replay_pb2.REPLAY_VERDICT_NOT_COMPARED: "not compared",
}


class StageName(StrEnum):
    """A stage whose calls are made again."""

    INTENT = "intent"
    DECOMPOSE = "decompose"
    RETRIEVE = "retrieve"
    ANSWER = "answer"
    TIMELINE = "timeline"


def replay(
    turn: Annotated[str, typer.Argument(help="The id of a recorded turn, such as q-1f3a….", show_default=False)],
    stage: Annotated[StageName | None, typer.Option(help="Only the calls of this stage.", show_default=False)] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all differences of a call.")] = False,
    principal: Principals = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per call.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Send a recorded turn's requests to the stages again and show where their answers differ, the first place first.

    The exit code is 1 if an answer differs.
    """
    request = replay_pb2.ReplayRequest(turn_id=turn, stage=_stage(stage))
    verdicts: Counter[replay_pb2.ReplayVerdict.ValueType] = Counter()
    with gateway_stub(replay_pb2_grpc.ReplayServiceStub, host, port, principal) as stub:
        for response in stub.Replay(request):
            verdicts[response.verdict] += 1
            if json:
                tell_json(response)
            else:
                _tell(_lines(response, None if verbose else SHOWN))
    if not json:
        tell(_summary(verdicts))
    if verdicts[replay_pb2.REPLAY_VERDICT_DIFFERENT]:
        raise typer.Exit(1)


def _stage(name: StageName | None) -> usage_pb2.Stage.ValueType:
    return usage_pb2.STAGE_UNSPECIFIED if name is None else usage_pb2.Stage.Value(f"STAGE_{name.name}")


def _lines(response: replay_pb2.ReplayResponse, limit: int | None) -> Iterable[str]:
    yield f"{_name(response.call)}: {_verdict(response)}"
    shown = response.differences[:limit]
    for difference in shown:
        yield f"  {difference.path or 'the response'}"
        if difference.withheld:
            yield "    withheld: it contains a passage that you may no longer see"
        else:
            yield f"    recorded  {difference.recorded_value or '(nothing)'}"
            yield f"    replayed  {difference.replayed_value or '(nothing)'}"
    if rest := response.difference_count - len(shown):
        yield f"  … and {rest:,} more"


def _name(call: recording_pb2.RecordedCall) -> str:
    return f"{call.number}. {usage_pb2.Stage.Name(call.stage).removeprefix('STAGE_').lower()} {call.method}"


def _verdict(response: replay_pb2.ReplayResponse) -> str:
    if response.verdict == replay_pb2.REPLAY_VERDICT_DIFFERENT:
        count = response.difference_count
        return f"different in {count:,} place{'' if count == 1 else 's'}"
    if response.verdict == replay_pb2.REPLAY_VERDICT_NOT_COMPARED:
        return "not compared; the call was cancelled"
    return VERDICTS.get(response.verdict, "unknown")


def _summary(verdicts: Counter[replay_pb2.ReplayVerdict.ValueType]) -> str:
    counts = (f"{verdicts[verdict]:,} {name}" for verdict, name in VERDICTS.items() if verdicts[verdict])
    return f"calls: {', '.join(counts) or 'none'}"


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        indent = len(line) - len(line.lstrip())
        tell(" " * indent + one_line(line))
