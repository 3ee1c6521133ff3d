"""Page tokens of listings: where the previous page ended, as a text that callers only pass on."""

import base64
import binascii

from libs.runtime.errors import InvalidInput


def page_token(position: str) -> str:
    """The token for the page after a position."""
    return base64.urlsafe_b64encode(position.encode()).decode()


def page_position(token: str) -> str:
    """The position that a token stands for; empty for an empty one.

    Raises:
        InvalidInput: the token does not come from an earlier page.
    """
    try:
        return base64.b64decode(token.encode(), b"-_", validate=True).decode()
    except (binascii.Error, UnicodeError):
        raise unknown_token() from None


def unknown_token() -> InvalidInput:
    """The error of a token that does not come from an earlier page."""
    return InvalidInput("page_token", "The page token must be one that an earlier page gave.")
