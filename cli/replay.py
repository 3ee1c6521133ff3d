"""`parley replay`: run a recorded turn again and show where the stages' answers differ."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Final, Literal

import typer

from cli.connection.gateway_connection import gateway_command
from cli.view.output import enum_word, one_line, tell, tell_json
from parley.client.stubs import Stubs
from parley.context.v1 import usage_pb2
from parley.gateway.v1 import replay_pb2

MAX_SHOWN: Final = 3
"""Differences of a call that are shown without --verbose (taste)."""
VERDICTS: Final = ("same", "different", "not compared")
StageName = Literal["intent", "decompose", "retrieve", "answer", "timeline"]


@gateway_command
def replay(
    suite: Stubs,
    turn: Annotated[str, typer.Argument(help="The id of a recorded turn, such as q-1f3a….")],
    stage: Annotated[StageName | None, typer.Option(help="Only the calls of this stage.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all differences of a call.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per call.")] = False,
) -> None:
    """Send a recorded turn's requests to the stages again and show where their answers differ, the first place first.

    The exit code is 1 if an answer differs.
    """
    stage_number = usage_pb2.Stage.Value(f"STAGE_{(stage or 'unspecified').upper()}")
    verdicts: Counter[str] = Counter()
    for response in suite.replay.Replay(replay_pb2.ReplayRequest(turn_id=turn, stage=stage_number)):
        verdicts[enum_word(response, "verdict")] += 1
        if json:
            tell_json(response)
            continue
        for indent, line in _lines(response, None if verbose else MAX_SHOWN):
            tell("  " * indent + one_line(line))
    if not json:
        counts = (f"{verdicts[verdict]:,} {verdict}" for verdict in VERDICTS if verdicts[verdict])
        tell(f"calls: {', '.join(counts) or 'none'}")
    if verdicts["different"]:
        raise typer.Exit(1)


def _lines(response: replay_pb2.ReplayResponse, limit: int | None) -> Iterator[tuple[int, str]]:
    """Yield the lines of a call, each with its indentation."""
    call, count, shown = response.call, response.difference_count, response.differences[:limit]
    verdict = enum_word(response, "verdict", "unknown")
    if verdict == "different":
        verdict += f" in {count:,} place{'' if count == 1 else 's'}"
    elif verdict == "not compared":
        verdict += "; the call was cancelled"
    yield 0, f"{call.number}. {enum_word(call, 'stage')} {call.method}: {verdict}"
    for difference in shown:
        yield 1, difference.path or "the response"
        if difference.withheld:
            yield 2, "withheld: it contains a passage that you may no longer see"
        else:
            yield 2, f"recorded  {difference.recorded_value or '(nothing)'}"
            yield 2, f"replayed  {difference.replayed_value or '(nothing)'}"
    if count > len(shown):
        yield 1, f"… and {count - len(shown):,} more"
