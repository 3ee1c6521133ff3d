"""Answers of a server that lack what they should have: the engine then takes no part, as if there were no answer."""

from typing import Final

import structlog

from libs.runtime.errors import Unavailable

UNREADABLE: Final = (LookupError, TypeError, AttributeError)
"""What reading such an answer raises."""

_log = structlog.get_logger("parley.engines")


def unreadable(server: str, error: Exception) -> Unavailable:
    """The error of such an answer, which is logged in one line."""
    _log.warning("an answer cannot be read", server=server, why=repr(error))
    return Unavailable("ENGINE_UNAVAILABLE", f"{server} gave an answer that cannot be read.")
