"""Page tokens of listings: where the previous page ended."""

import base64
import binascii
from datetime import datetime

from gateway.store.sessions import StoredSession
from libs.runtime.errors import InvalidInput


def session_token(last: StoredSession) -> str:
    """Return the token for the page after a session."""
    return _encode(f"{last.updated.isoformat()} {last.session_id}")


def session_position(token: str) -> tuple[datetime, str] | None:
    """Return `updated` and id of the session before the page, or None for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    if not token:
        return None
    updated, _, session_id = _decode(token).partition(" ")
    try:
        moment = datetime.fromisoformat(updated)
    except ValueError:
        raise _unknown() from None
    if moment.tzinfo is None or not session_id:
        raise _unknown()
    return moment, session_id


def turn_token(position: int) -> str:
    """Return the token for the page after the turn at a position."""
    return _encode(str(position))


def turn_position(token: str) -> int:
    """Return the position of the turn before the page, 0 for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    content = _decode(token) if token else "0"
    if not (content.isascii() and content.isdigit() and len(content) < 10):
        raise _unknown()
    return int(content)


def _encode(content: str) -> str:
    return base64.urlsafe_b64encode(content.encode()).decode()


def _decode(token: str) -> str:
    try:
        return base64.b64decode(token.encode(), b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError):
        raise _unknown() from None


def _unknown() -> InvalidInput:
    return InvalidInput("page_token", "The page token must be one that an earlier page gave.")
