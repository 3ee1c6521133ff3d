"""`parley sessions`: list, show, rename, delete, export and import the conversations that the gateway stores."""

import sys
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

import typer
from google.protobuf.timestamp_pb2 import Timestamp

from cli.ask.details import understood_as
from cli.connection.gateway_connection import CommandError, confirm, gateway_command, paged
from cli.view.output import enum_word, one_line, printable, tell, tell_json, tell_list
from parley.client.stubs import Stubs
from parley.gateway.v1 import session_pb2

SESSIONS_AT_ONCE: Final = 1000  # of a page, by the contract
TURNS_AT_ONCE: Final = 200  # of a page, by the contract

app = typer.Typer(help="List, show, rename, delete, export and import conversations.", no_args_is_help=True)

Session = Annotated[str, typer.Argument(help="The session.")]


@app.command("list")
@gateway_command
def list_sessions(
    suite: Stubs,
    limit: Annotated[int, typer.Option(help="Maximum number of sessions; 0: all.", min=0)] = 50,  # taste
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per session.")] = False,
) -> None:
    """List the caller's own sessions, the latest first."""
    request = session_pb2.ListSessionsRequest(page_size=SESSIONS_AT_ONCE)
    sessions = islice(paged(suite.sessions.ListSessions, request, "sessions"), limit or None)
    tell_list(sessions, json, ("session", "turns", "latest turn", "title or first question"), _row)


@app.command()
@gateway_command
def show(
    suite: Stubs,
    session: Session,
    turn: Annotated[int, typer.Option(help="Show this turn alone, with its references; 1 is the first.", min=0)] = 0,
    new_content: Annotated[
        bool, typer.Option("--new-content", help="With --turn: show passages as they are by now.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per turn.")] = False,
) -> None:
    """Show the questions and answers of a session, or one turn with its references."""
    listing = session_pb2.ListTurnsRequest(session_id=session, page_size=TURNS_AT_ONCE)
    summaries = paged(suite.sessions.ListTurns, listing, "turns")
    if turn:
        turn_id = next((each.turn_id for each in summaries if each.position == turn), None)
        if turn_id is None:
            raise CommandError(f"The session {session} has no turn {turn}: omit --turn to list its turns.")
        response = suite.sessions.GetTurn(session_pb2.GetTurnRequest(turn_id=turn_id, need_new_content=new_content))
        (tell_json if json else _tell_turn)(response)
        return
    for summary in summaries:
        (tell_json if json else _tell_summary)(summary)


@app.command()
@gateway_command
def rename(
    suite: Stubs,
    session: Session,
    title: Annotated[str, typer.Argument(help="The title, at most 200 characters; empty: none.")],
) -> None:
    """Give a session a title."""
    suite.sessions.RenameSession(session_pb2.RenameSessionRequest(session_id=session, title=title))
    tell(f"renamed {session}")


@app.command()
@gateway_command
def delete(
    suite: Stubs,
    sessions: Annotated[list[str], typer.Argument(help="The sessions.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without confirmation.")] = False,
) -> None:
    """Delete sessions for ever, with all that is stored for them."""
    if not yes:
        confirm(f"Delete {', '.join(sessions)} for ever?")
    for session in sessions:
        suite.sessions.DeleteSession(session_pb2.DeleteSessionRequest(session_id=session))
        tell(f"deleted {session}")


@app.command("export")
@gateway_command
def export_session(
    suite: Stubs,
    session: Session,
    out: Annotated[Path | None, typer.Option(help="File to write; standard output if not given.")] = None,
    without_texts: Annotated[
        bool, typer.Option("--without-texts", help="Leave out the texts of passages, for a long session.")
    ] = False,
) -> None:
    """Write a session as an encoded context, which `parley sessions import` reads."""
    request = session_pb2.ExportSessionRequest(session_id=session, without_texts=without_texts)
    response = suite.sessions.ExportSession(request)
    if out is None:
        tell(response.context)
        return
    out.write_text(f"{response.context}\n", encoding="ascii")
    tell(f"wrote {response.turns:,} turns to {out}")


@app.command("import")
@gateway_command
def import_session(
    suite: Stubs,
    file: Annotated[Path, typer.Argument(help="A file that `parley sessions export` wrote; - reads standard input.")],
    session: Annotated[str, typer.Option(help="Id of the new session; the gateway chooses one if not given.")] = "",
) -> None:
    """Create a session from an encoded context, and print its id."""
    request = session_pb2.ImportSessionRequest(context=_content(file), session_id=session)
    response = suite.sessions.ImportSession(request)
    tell(response.session.session_id)


def _content(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read().strip()
    try:
        return file.read_text(encoding="ascii").strip()
    except UnicodeError:
        raise CommandError(f"The file {file} cannot be read: it is not what `parley sessions export` writes.") from None


def _row(session: session_pb2.Session) -> tuple[str, str, str, str]:
    name = session.title or session.first_question
    return session.session_id, f"{session.turns:,}", _moment(session.updated_at), name


def _tell_summary(summary: session_pb2.TurnSummary) -> None:
    outcome = enum_word(summary, "outcome")
    note = f" ({outcome})" if outcome != "answered" else ""
    tell(f"{summary.position}. {one_line(summary.question)}{note}")
    if summary.answer:
        tell(printable(summary.answer))
    tell()


def _tell_turn(response: session_pb2.GetTurnResponse) -> None:
    turn = response.turn
    tell(f"{response.position}. {one_line(turn.question)}")
    understood = understood_as(turn.record)
    if understood and understood != turn.question:
        tell(f"understood as: {one_line(understood)}")
    tell(f"{enum_word(turn, 'outcome')}, {_moment(turn.asked_at)}, {turn.question_id}")
    tell()
    tell(printable(turn.answer.text))
    for reference in turn.references:
        passage = reference.evidence.passage
        text = one_line(passage.text) or "(no longer visible)"
        tell(f"\n[{reference.number}] {one_line(passage.title or passage.document_id)}, {passage.passage_id}\n{text}")


def _moment(moment: Timestamp) -> str:
    return moment.ToDatetime().isoformat(" ", "minutes") if moment.seconds else "-"
