"""Page tokens of listings: where the previous page ended."""

from datetime import datetime

from gateway.store.sessions import StoredSession
from libs.servicing.page_tokens import page_position, page_token, unknown_token


def session_token(last: StoredSession) -> str:
    """Return the token for the page after a session."""
    return page_token(f"{last.updated.isoformat()} {last.session_id}")


def session_position(token: str) -> tuple[datetime, str] | None:
    """Return `updated` and id of the session before the page, or None for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    if not token:
        return None
    updated, _, session_id = page_position(token).partition(" ")
    try:
        moment = datetime.fromisoformat(updated)
    except ValueError:
        raise unknown_token() from None
    if moment.tzinfo is None or not session_id:
        raise unknown_token()
    return moment, session_id


def turn_token(position: int) -> str:
    """Return the token for the page after the turn at a position."""
    return page_token(str(position))


def turn_position(token: str) -> int:
    """Return the position of the turn before the page, 0 for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    content = page_position(token) if token else "0"
    if not (content.isascii() and content.isdigit() and len(content) < 10):
        raise unknown_token()
    return int(content)
