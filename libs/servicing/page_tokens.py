"""Page tokens of listings: a text that says where the previous page ended, opaque to clients."""

import base64
import binascii

from libs.runtime.errors import InvalidInput


def encode_token(position: str) -> str:
    """Return the token for the page after a position."""
    return base64.urlsafe_b64encode(position.encode()).decode()


def decode_token(token: str) -> str:
    """Return the position of a token; empty for an empty one, which asks for the first page.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    try:
        return base64.b64decode(token.encode(), b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError):
        raise unknown_token() from None


def unknown_token() -> InvalidInput:
    """Return the error for a token that comes from no earlier page."""
    return InvalidInput("page_token", "The page token must be one that an earlier page gave.")
