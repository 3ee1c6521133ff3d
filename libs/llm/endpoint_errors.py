"""What goes wrong between this process and an endpoint, as errors of ours with what to do about it.

Texts of the endpoint and of the system stay in the cause of an error and out of its message.
"""

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from libs.llm.capabilities import REFUSED
from libs.llm.errors import LlmError, LlmTooSlow, LlmUnavailable, LlmUnusable

if TYPE_CHECKING:
    from openai import APIStatusError

TOO_LARGE: Final = 413
"""HTTP status for a request that an endpoint will never accept, besides those of `REFUSED`."""
_NO_KEY_FOR_IT: Final = "refuses the key: check PARLEY_LLM_API_KEY"
_MEANING: Final = {
    401: _NO_KEY_FOR_IT,
    403: _NO_KEY_FOR_IT,
    404: "has no such model or path: check PARLEY_LLM_MODEL and PARLEY_LLM_BASE_URL",
    429: "takes no more requests for now",
}
"""What an endpoint means by an HTTP status."""
_FAULTS: Final[Mapping[type[Exception], str]] = {
    ConnectionRefusedError: ": the connection is refused",
    socket.gaierror: ": the name of its host is not known",
}


@contextmanager
def typed_errors() -> Iterator[None]:
    """Convert errors of the library and its transport, and timeouts, to an `LlmError`."""
    import aiohttp
    import httpx2
    import openai

    try:
        yield
    except TimeoutError as error:
        raise LlmTooSlow from error
    except openai.APIStatusError as error:
        raise _of_status(error) from error
    except (openai.OpenAIError, httpx2.HTTPError, aiohttp.ClientError) as error:
        raise LlmUnavailable(f"the language model can't be reached, or the connection broke{_why(error)}") from error


def _why(error: BaseException) -> str:
    """Why a connection failed, in words of our own; empty if that is not known."""
    while earlier := error.__cause__ or error.__context__:
        error = earlier
    return next((words for kind, words in _FAULTS.items() if isinstance(error, kind)), "")


def _of_status(error: "APIStatusError") -> LlmError:
    status = error.status_code
    if status in REFUSED or status == TOO_LARGE:
        return LlmUnusable(f"the language model's endpoint refuses the request (HTTP {status})")
    meaning = _MEANING.get(status, "gives no answer")
    message = f"the language model's endpoint {meaning} (HTTP {status})"
    return LlmUnavailable(message, retry_after(error.response.headers))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks us to wait, given as a number or a date; None if it gives neither."""
    value = headers.get("retry-after", "")
    if value.replace(".", "", 1).isdecimal():
        return float(value)
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return None
