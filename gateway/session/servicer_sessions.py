"""The gRPC servicer around `Sessions` and `SessionTransfer`; it contains no logic of its own."""

from typing import Any, Final

from gateway.access.principals import caller_of, is_stranger
from gateway.session.session_transfer import SessionTransfer
from gateway.session.sessions import Sessions
from gateway.store.sessions import StoredSession
from libs.contracts.wire.codec import fill_field, to_message
from parley.gateway.v1 import session_pb2, session_pb2_grpc

DEFAULT_PAGE: Final = 50


class SessionServicer(session_pb2_grpc.SessionServiceServicer):
    """The service of stored sessions."""

    def __init__(self, sessions: Sessions, transfer: SessionTransfer) -> None:
        self._sessions = sessions
        self._transfer = transfer

    async def GetSession(self, request: session_pb2.GetSessionRequest, context: Any) -> session_pb2.GetSessionResponse:
        """Return a session without its turns."""
        session = await self._sessions.session(request.session_id, caller_of(context))
        return session_pb2.GetSessionResponse(session=_session(session))

    async def ListSessions(
        self, request: session_pb2.ListSessionsRequest, context: Any
    ) -> session_pb2.ListSessionsResponse:
        """Return a page of the caller's sessions."""
        principals, size = caller_of(context), request.page_size or DEFAULT_PAGE
        if is_stranger(context):
            return session_pb2.ListSessionsResponse()
        page = await self._sessions.page(principals, size, request.page_token)
        return session_pb2.ListSessionsResponse(
            sessions=map(_session, page.sessions), next_page_token=page.next_page_token
        )

    async def ListTurns(self, request: session_pb2.ListTurnsRequest, context: Any) -> session_pb2.ListTurnsResponse:
        """Return a page of a session's turns."""
        size = request.page_size or DEFAULT_PAGE
        page = await self._sessions.turns(request.session_id, caller_of(context), size, request.page_token)
        return to_message(page, session_pb2.ListTurnsResponse)

    async def GetTurn(self, request: session_pb2.GetTurnRequest, context: Any) -> session_pb2.GetTurnResponse:
        """Return a turn."""
        place = await self._sessions.turn(request.turn_id, caller_of(context), new_content=request.need_new_content)
        response = session_pb2.GetTurnResponse(session_id=place.session_id, position=place.position)
        fill_field(response, "turn", place.turn)
        return response

    async def RenameSession(
        self, request: session_pb2.RenameSessionRequest, context: Any
    ) -> session_pb2.RenameSessionResponse:
        """Give a session a title."""
        session = await self._sessions.rename(request.session_id, caller_of(context), request.title)
        return session_pb2.RenameSessionResponse(session=_session(session))

    async def DeleteSession(
        self, request: session_pb2.DeleteSessionRequest, context: Any
    ) -> session_pb2.DeleteSessionResponse:
        """Delete a session for ever."""
        await self._sessions.delete(request.session_id, caller_of(context))
        return session_pb2.DeleteSessionResponse()

    async def ExportSession(
        self, request: session_pb2.ExportSessionRequest, context: Any
    ) -> session_pb2.ExportSessionResponse:
        """Return a session as an encoded context."""
        exported = await self._transfer.export_session(
            request.session_id, caller_of(context), texts=not request.without_texts
        )
        return to_message(exported, session_pb2.ExportSessionResponse)

    async def ImportSession(
        self, request: session_pb2.ImportSessionRequest, context: Any
    ) -> session_pb2.ImportSessionResponse:
        """Create a session from an encoded context."""
        session = await self._transfer.import_session(request.context, request.session_id, caller_of(context))
        return session_pb2.ImportSessionResponse(session=_session(session))


def _session(session: StoredSession) -> session_pb2.Session:
    message = session_pb2.Session(
        session_id=session.session_id,
        title=session.title,
        turns=session.version,
        first_question=session.first_question,
    )
    message.created_at.FromDatetime(session.created)
    message.updated_at.FromDatetime(session.updated)
    return message
