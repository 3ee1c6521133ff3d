"""`parley sessions`: list, show, rename, delete, export and import the conversations that the gateway stores."""

import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from cli.connection.gateway_connection import HOST, PORT, CommandError, Host, Port, Principals, gateway_stub, paged
from cli.view.output import one_line, printable, tell, tell_json, tell_table
from parley.context.v1 import session_pb2 as context_session_pb2
from parley.gateway.v1 import session_pb2, session_pb2_grpc

SESSIONS_AT_ONCE: Final = 1000
TURNS_AT_ONCE: Final = 200

app = typer.Typer(help="List, show, rename, delete, export and import conversations.", no_args_is_help=True)

Session = Annotated[str, typer.Argument(help="The session.", show_default=False)]


@app.command("list")
def list_sessions(
    limit: Annotated[int, typer.Option(help="Maximum number of sessions; 0: all.", min=0)] = 50,
    principal: Principals = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per session.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """List the caller's own sessions, the latest first."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        request = session_pb2.ListSessionsRequest(page_size=SESSIONS_AT_ONCE)
        sessions = islice(paged(stub.ListSessions, request, "sessions"), limit or None)
        if not json:
            tell_table(("session", "turns", "latest turn", "title or first question"), map(_row, sessions))
            return
        for session in sessions:
            tell_json(session)


@app.command()
def show(
    session: Session,
    turn: Annotated[int, typer.Option(help="Show this turn alone, with its references; 1 is the first.", min=0)] = 0,
    new_content: Annotated[
        bool, typer.Option("--new-content", help="With --turn: show passages as they are by now.")
    ] = False,
    principal: Principals = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per turn.")] = False,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Show the questions and answers of a session, or one turn with its references."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        listing = session_pb2.ListTurnsRequest(session_id=session, page_size=TURNS_AT_ONCE)
        summaries = paged(stub.ListTurns, listing, "turns")
        if turn:
            turn_id = next((each.turn_id for each in summaries if each.position == turn), None)
            if turn_id is None:
                raise CommandError(f"The session {session} has no turn {turn}.")
            request = session_pb2.GetTurnRequest(turn_id=turn_id, need_new_content=new_content)
            response = stub.GetTurn(request)
            if json:
                tell_json(response)
            else:
                _tell_turn(response)
            return
        for summary in summaries:
            if json:
                tell_json(summary)
            else:
                _tell_summary(summary)


@app.command()
def rename(
    session: Session,
    title: Annotated[str, typer.Argument(help="The title, at most 200 characters; empty: none.", show_default=False)],
    principal: Principals = None,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Give a session a title."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        request = session_pb2.RenameSessionRequest(session_id=session, title=title)
        stub.RenameSession(request)
        tell(f"renamed {session}")


@app.command()
def delete(
    sessions: Annotated[list[str], typer.Argument(help="The sessions.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")] = False,
    principal: Principals = None,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Delete sessions for ever, with all that is stored for them."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        question = f"Delete {', '.join(sessions)} for ever?"
        if not yes and not typer.confirm(question, err=True):
            raise CommandError("Nothing was deleted.")
        for session in sessions:
            stub.DeleteSession(session_pb2.DeleteSessionRequest(session_id=session))
            tell(f"deleted {session}")


@app.command("export")
def export_session(
    session: Session,
    out: Annotated[Path | None, typer.Option(help="File to write; standard output if not given.")] = None,
    without_texts: Annotated[
        bool, typer.Option("--without-texts", help="Leave out the texts of passages, for a long session.")
    ] = False,
    principal: Principals = None,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Write a session as an encoded context, which `parley sessions import` reads."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        request = session_pb2.ExportSessionRequest(session_id=session, without_texts=without_texts)
        response = stub.ExportSession(request)
        if out is None:
            tell(response.context)
            return
        try:
            out.write_text(f"{response.context}\n", encoding="ascii")
        except OSError as error:
            raise CommandError(f"The file {out} cannot be written: {error.strerror}.") from None
        tell(f"wrote {response.turns:,} turns to {out}")


@app.command("import")
def import_session(
    file: Annotated[Path, typer.Argument(help="A file that `parley sessions export` wrote; - reads standard input.")],
    session: Annotated[str, typer.Option(help="Id of the new session; the gateway chooses one if not given.")] = "",
    principal: Principals = None,
    port: Port = PORT,
    host: Host = HOST,
) -> None:
    """Create a session from an encoded context, and print its id."""
    with gateway_stub(session_pb2_grpc.SessionServiceStub, host, port, principal) as stub:
        request = session_pb2.ImportSessionRequest(context=_content(file), session_id=session)
        response = stub.ImportSession(request)
        tell(response.session.session_id)


def _content(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read().strip()
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        raise CommandError(f"The file {file} cannot be read: it is not what `parley sessions export` writes.") from None


def _row(session: session_pb2.Session) -> tuple[str, str, str, str]:
    name = session.title or session.first_question
    return session.session_id, f"{session.turns:,}", _moment(session.updated_at), name


def _tell_summary(summary: session_pb2.TurnSummary) -> None:
    outcome = _outcome(summary.outcome)
    note = f" ({outcome})" if outcome != "answered" else ""
    tell(f"{summary.position}. {one_line(summary.question)}{note}")
    if summary.answer:
        tell(printable(summary.answer))
    tell()


def _tell_turn(response: session_pb2.GetTurnResponse) -> None:
    turn = response.turn
    tell(f"{response.position}. {one_line(turn.question)}")
    if turn.record.standalone and turn.record.standalone != turn.question:
        tell(f"understood as: {one_line(turn.record.standalone)}")
    tell(f"{_outcome(turn.outcome)}, {_moment(turn.asked_at)}, {turn.question_id}")
    tell()
    tell(printable(turn.answer.text))
    for reference in turn.references:
        passage = reference.evidence.passage
        text = one_line(passage.text) or "(no longer visible)"
        tell(f"\n[{reference.number}] {one_line(passage.title or passage.document_id)}, {passage.passage_id}\n{text}")


def _outcome(outcome: context_session_pb2.Outcome.ValueType) -> str:
    return context_session_pb2.Outcome.Name(outcome).removeprefix("OUTCOME_").lower()


def _moment(moment: Timestamp) -> str:
    return moment.ToDatetime().isoformat(" ", "minutes") if moment.seconds else "-"
