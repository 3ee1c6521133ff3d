"""Page tokens of listings: a text that says where the previous page ended, opaque to clients. Pure."""

import base64
from collections.abc import Callable
from typing import TypeVar

from libs.runtime.errors import InvalidInput

T = TypeVar("T")


def encode_token(position: str) -> str:
    """Return the token for the page after a position."""
    return base64.urlsafe_b64encode(position.encode()).decode()


def decode_token(token: str, read: Callable[[str], T]) -> T:
    """Return the position of a token, as `read` understands its text; an empty token asks for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page: `read` raised ValueError, or it is no token at all.
    """
    try:
        return read(base64.b64decode(token.encode(), b"-_", validate=True).decode())
    except ValueError:
        raise InvalidInput("page_token", "The page token must be one that an earlier page gave.") from None
