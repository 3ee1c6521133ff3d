"""`parley ask`: send questions, also those of a file, to the gateway and print the events of each turn."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from cli.ask.event_renderer import EventRenderer, fitting_page
from cli.ask.question_file import ScriptedTurn, moment, read_conversation, read_history
from cli.ask.raw_comparison import RAW_SUFFIX, TurnSide, print_comparison
from cli.connection.gateway_connection import CommandError, complain, gateway_command
from cli.view.output import tell, tell_json, to_terminal
from cli.view.timeline_file import TimelineFile
from parley.client.asking import ask as ask_patiently
from parley.client.stubs import Stubs
from parley.context.v1 import query_pb2, session_pb2
from parley.gateway.v1 import event_pb2, gateway_pb2

BAD_ENDS: Final = frozenset({session_pb2.OUTCOME_UNSPECIFIED, session_pb2.OUTCOME_CANCELLED})

Show = Callable[[ScriptedTurn, Iterable[event_pb2.Event]], None]
"""Shows all events of a turn as they come."""

StrategyName = Literal["last-turn", "ladder", "weighted", "mmr", "multi-query", "llm"]
"""Strategies for turning a follow-up into a query."""


@gateway_command
def ask(
    suite: Stubs,
    question: Annotated[str | None, typer.Argument(help="The question.")] = None,
    session: Annotated[
        str, typer.Option(help="Session that the question belongs to, created by its first question.")
    ] = "",
    collection: Annotated[str, typer.Option(help='Collection to search; "default" if not given.')] = "",
    history: Annotated[
        Path | None, typer.Option(help="File with the conversation before the question: JSON lines {speaker, text}.")
    ] = None,
    conversation: Annotated[
        Path | None, typer.Option(help="File of questions to ask in one session: JSON lines {question}.")
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
        Path | None, typer.Option(help="Write the timeline to a file that ends with .json, .md or .ics; implies --pro.")
    ] = None,
    no_plan: Annotated[bool, typer.Option("--no-plan", help="Do not split the question into sub-queries.")] = False,
    strategy: Annotated[StrategyName | None, typer.Option(help="Strategy that turns a follow-up into a query.")] = None,
    contrast: Annotated[
        bool,
        typer.Option("--contrast", help="Ask twice, once by the last turn alone, and show both answers side by side."),
    ] = False,
    record: Annotated[
        bool, typer.Option("--record", help="Record the turn, so that `parley replay` can run it again.")
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Show the steps that led to the answer, its verification, cost and time."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per event.")] = False,
) -> None:
    """Ask a question, or a file of them, and read the answers with their sources.

    The exit code is 0 if each turn was answered, abstained, asked back or rejected.
    """
    turns = _turns(question, conversation)
    _check(contrast, json, timeline, turns)
    file = TimelineFile(timeline) if timeline is not None else None
    options = gateway_pb2.RequestOptions(
        collection=collection,
        strategy=query_pb2.Strategy.Value(f"STRATEGY_{strategy or 'unspecified'}".upper().replace("-", "_")),
        plan=gateway_pb2.PLAN_OFF if no_plan else gateway_pb2.PLAN_UNSPECIFIED,
        web=web,
        pro=pro or file is not None,
        time_zone=tz,
        now=moment(now, tz) if now else None,
        place=place,
        record=record,
        progress=to_terminal() and not json,
    )
    messages = read_history(history) if history is not None else ()
    first = gateway_pb2.AskRequest(session_id=session, options=options, history=messages)
    if contrast:
        _converse_twice(suite, first, turns)
        return
    show = _show_json if json else EventRenderer(fitting_page(), verbose, len(turns) > 1).show
    if file is None:
        _converse(suite, first, turns, show)
        return
    _converse(suite, first, turns, lambda turn, events: show(turn, file.keep(events)))
    file.write(turns[0].question)


def _show_json(turn: ScriptedTurn, events: Iterable[event_pb2.Event]) -> None:
    """Write a line `{"turn_id", "seq", "<kind>": {…}}` for each event of a kind that this version knows."""
    for event in events:
        if event.WhichOneof("event") is not None:
            tell_json(event)


def _check(contrast: bool, json: bool, timeline: Path | None, turns: Sequence[ScriptedTurn]) -> None:
    """Raise a CommandError if options exclude each other."""
    other = "--json" if json else "--timeline" if timeline is not None else ""
    if contrast and other:
        raise CommandError(f"The option --contrast shows two turns side by side and cannot be combined with {other}.")
    if timeline is not None and len(turns) != 1:
        raise CommandError("The option --timeline writes the timeline of one question, and --conversation has several.")


def _turns(question: str | None, conversation: Path | None) -> Sequence[ScriptedTurn]:
    if (question is None) == (conversation is None):
        raise CommandError("Give a question, or a file of questions with --conversation.")
    if conversation is not None:
        return read_conversation(conversation)
    return [ScriptedTurn.model_construct(question=question or "")]  # an empty one is refused by the gateway


def _converse(suite: Stubs, first: gateway_pb2.AskRequest, turns: Sequence[ScriptedTurn], show: Show) -> None:
    """Ask the turns one after another in one session."""
    session = first.session_id
    for turn in turns:
        session = _ask(suite, _request(first, turn, session), partial(show, turn)).session_id


def _converse_twice(suite: Stubs, first: gateway_pb2.AskRequest, turns: Sequence[ScriptedTurn]) -> None:
    """Ask each turn twice, with the raw words and as usual, in two conversations, and show both side by side."""
    page = fitting_page()
    raw_first = gateway_pb2.AskRequest()
    raw_first.CopyFrom(first)
    raw_first.options.strategy = query_pb2.STRATEGY_LAST_TURN
    session = first.session_id
    raw_session = f"{session}{RAW_SUFFIX}" if session else ""
    for number, turn in enumerate(turns):
        if number:
            tell()
        page.question(turn.question, turn.note)
        raw, usual = TurnSide(), TurnSide()
        raw_session = _ask(suite, _request(raw_first, turn, raw_session), raw.keep).session_id
        session = _ask(suite, _request(first, turn, session), usual.keep).session_id
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
    suite: Stubs, request: gateway_pb2.AskRequest, show: Callable[[Iterable[event_pb2.Event]], None]
) -> event_pb2.CompletedEvent:
    """Run one turn and show its events as they arrive.

    Raises:
        CommandError: the turn was cancelled, or its stream broke off.
        grpc.RpcError: the turn failed.
    """
    last = event_pb2.Event()

    def events(responses: Iterable[gateway_pb2.AskResponse]) -> Iterator[event_pb2.Event]:
        nonlocal last
        for response in responses:
            last = response.event
            yield last

    with closing(ask_patiently(suite.gateway, request)) as responses:
        show(events(responses))
    if request.options.record and last.turn_id:
        complain(f"Recorded. To run it again: parley replay {last.turn_id}")
    if last.completed.outcome in BAD_ENDS:
        outcome = session_pb2.Outcome.Name(last.completed.outcome)
        raise CommandError(f"The turn ended without an answer ({outcome}).")
    return last.completed
