"""`parley ask`: send questions to the gateway and show the events of each turn."""

from collections.abc import Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import grpc
import typer

from cli.ask.question_file import ScriptedTurn, moment, read_conversation, read_history
from cli.ask.raw_comparison import TurnSide, print_comparison, raw_side
from cli.ask.renderers import Begin, Renderer, fitting_page, renderers
from cli.connection.gateway_connection import (
    HOST,
    PORT,
    CommandError,
    Host,
    Port,
    Principals,
    complain,
    gateway_channel,
)
from cli.view.output import tell, to_terminal
from cli.view.timeline_file import TimelineFile
from parley.client.asking import ask as ask_patiently
from parley.context.v1 import query_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc

GOOD_ENDS: Final = frozenset(
    {
        session_pb2.OUTCOME_ANSWERED,
        session_pb2.OUTCOME_ABSTAINED,
        session_pb2.OUTCOME_ASKED,
        session_pb2.OUTCOME_REJECTED,
    }
)


class StrategyName(StrEnum):
    """Strategies for turning a follow-up into a query."""

    LAST_TURN = "last-turn"
    LADDER = "ladder"
    WEIGHTED = "weighted"
    MMR = "mmr"
    MULTI_QUERY = "multi-query"
    LLM = "llm"


def ask(
    question: Annotated[str | None, typer.Argument(help="The question.", show_default=False)] = None,
    session: Annotated[
        str, typer.Option(help="Session that the question belongs to, created by its first question.")
    ] = "",
    collection: Annotated[str, typer.Option(help='Collection to search; "default" if not given.')] = "",
    history: Annotated[
        Path | None,
        typer.Option(
            help="File with the conversation before the question: JSON lines {speaker, text}.", show_default=False
        ),
    ] = None,
    conversation: Annotated[
        Path | None,
        typer.Option(help="File of questions to ask in one session: JSON lines {question}.", show_default=False),
    ] = None,
    now: Annotated[
        str, typer.Option(help='The moment that "today" refers to, in ISO 8601; by default the current time.')
    ] = "",
    tz: Annotated[str, typer.Option(help="Your IANA time zone, such as Europe/Berlin; by default UTC.")] = "",
    place: Annotated[str, typer.Option(help='The place that "here" refers to.')] = "",
    web: Annotated[
        bool, typer.Option("--web", help="Also search the web, if a web search engine is configured.")
    ] = False,
    pro: Annotated[bool, typer.Option("--pro", help="Add a timeline to the answer.")] = False,
    timeline: Annotated[
        Path | None,
        typer.Option(
            help="Write the timeline to a file that ends with .json, .md or .ics; implies --pro.",
            show_default=False,
        ),
    ] = None,
    no_plan: Annotated[bool, typer.Option("--no-plan", help="Do not split the question into sub-queries.")] = False,
    strategy: Annotated[
        StrategyName | None, typer.Option(help="Strategy that turns a follow-up into a query.", show_default=False)
    ] = None,
    contrast: Annotated[
        bool,
        typer.Option("--contrast", help="Ask twice, once by the last turn alone, and show both answers side by side."),
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record the turn, so that `parley replay` can run it again.")
    ] = False,
    principal: Principals = None,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Show the steps that led to the answer, its verification, cost and time."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per event.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Ask a question, or a file of them, and read the answers with their sources.

    The exit code is 0 if each turn was answered, abstained, asked back or rejected.
    """
    with gateway_channel(host, port, principal) as channel:
        options = gateway_pb2.RequestOptions(
            collection=collection,
            strategy=_strategy(strategy),
            plan=gateway_pb2.PLAN_OFF if no_plan else gateway_pb2.PLAN_UNSPECIFIED,
            web=web,
            pro=pro or timeline is not None,
            time_zone=tz,
            place=place,
            record=record,
            progress=to_terminal() and not json,
        )
        if now:
            options.now.CopyFrom(moment(now, tz))
        first = gateway_pb2.AskRequest(session_id=session, options=options)
        if history is not None:
            first.history.extend(read_history(history))
        turns = _turns(question, conversation)
        begin = renderers(json, verbose, len(turns) > 1)
        if contrast:
            _refuse_json(json)
            _refuse_timeline(timeline)
            _converse_twice(channel, first, turns)
        elif timeline is not None:
            file = TimelineFile(timeline)
            title = _only(turns).question
            _converse(channel, first, turns, lambda turn: file.keeping(begin(turn)))
            file.write(title)
        else:
            _converse(channel, first, turns, begin)


def _refuse_json(json: bool) -> None:
    if json:
        raise CommandError("The option --contrast shows two turns side by side and cannot be combined with --json.")


def _refuse_timeline(timeline: Path | None) -> None:
    if timeline is not None:
        raise CommandError("The option --contrast shows two turns side by side and cannot be combined with --timeline.")


def _only(turns: Sequence[ScriptedTurn]) -> ScriptedTurn:
    if len(turns) != 1:
        raise CommandError("The option --timeline writes the timeline of one question, and --conversation has several.")
    return turns[0]


def _turns(question: str | None, conversation: Path | None) -> Sequence[ScriptedTurn]:
    if (question is None) == (conversation is None):
        raise CommandError("Give a question, or a file of questions with --conversation.")
    return read_conversation(conversation) if conversation is not None else [ScriptedTurn(question or "")]


def _converse(
    channel: grpc.Channel,
    first: gateway_pb2.AskRequest,
    turns: Sequence[ScriptedTurn],
    begin: Begin,
) -> None:
    """Ask the turns one after another in one session."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    session = first.session_id
    for turn in turns:
        request = _request(first, turn, session)
        session = _ask(stub, request, begin(turn)).session_id


def _converse_twice(channel: grpc.Channel, first: gateway_pb2.AskRequest, turns: Sequence[ScriptedTurn]) -> None:
    """Ask each turn twice, with the raw words and as usual, in two conversations, and show both side by side."""
    stub = gateway_pb2_grpc.GatewayServiceStub(channel)
    page = fitting_page()
    raw_first = raw_side(first)
    raw_session, session = raw_first.session_id, first.session_id
    for number, turn in enumerate(turns):
        if number:
            tell()
        page.question(turn.question, turn.note)
        raw, usual = TurnSide(), TurnSide()
        raw_session = _ask(stub, _request(raw_first, turn, raw_session), raw).session_id
        session = _ask(stub, _request(first, turn, session), usual).session_id
        print_comparison(raw, usual)


def _request(first: gateway_pb2.AskRequest, turn: ScriptedTurn, session: str) -> gateway_pb2.AskRequest:
    request = gateway_pb2.AskRequest()
    request.CopyFrom(first)
    request.question = turn.question
    request.session_id = session
    request.options.pro = first.options.pro or turn.pro
    if turn.now:
        request.options.now.CopyFrom(moment(turn.now, first.options.time_zone))
    return request


def _ask(
    stub: gateway_pb2_grpc.GatewayServiceStub,
    request: gateway_pb2.AskRequest,
    renderer: Renderer,
) -> event_pb2.CompletedEvent:
    """Run one turn and show its events as they arrive.

    Raises:
        CommandError: the turn ended without an outcome from GOOD_ENDS.
        grpc.RpcError: the turn failed.
    """
    end, turn_id = event_pb2.CompletedEvent(), ""
    with closing(ask_patiently(stub, request)) as responses, closing(renderer):
        for response in responses:
            renderer.show(response.event)
            turn_id = response.event.turn_id
            if response.event.HasField("completed"):
                end = response.event.completed
    if request.options.record and turn_id:
        complain(f"Recorded. To run it again: parley replay {turn_id}")
    if end.outcome not in GOOD_ENDS:
        raise CommandError(f"The turn ended without an answer ({session_pb2.Outcome.Name(end.outcome)}).")
    return end


def _strategy(name: StrategyName | None) -> query_pb2.Strategy.ValueType:
    if name is None:
        return query_pb2.STRATEGY_UNSPECIFIED
    return query_pb2.Strategy.Value(f"STRATEGY_{name.name}")
