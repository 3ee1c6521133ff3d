"""A model that another server hosts, called by JSON over HTTP.

An address is `http(s)://host/path#model`. The path determines the server's API. The fragment names the model; a server
with only one model does not need it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from libs.runtime.errors import Unavailable
from services.retrieve.embedding.embedder import UnusableModel

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model, with credentials and timeout."""

    url: str
    model: str = ""
    """Empty if the server has only one model."""
    api_key: str = field(default="", repr=False)
    seconds: float = 30.0
    """Timeout of a call."""

    @classmethod
    def of(cls, address: str, api_key: str = "", seconds: float = 30.0) -> "Endpoint":
        """Parse an address.

        Raises:
            UnusableModel: it has no host.
        """
        parts = urlsplit(address)
        if not parts.hostname:
            raise UnusableModel(f"{address!r} has no host")
        return cls(parts._replace(fragment="").geturl(), parts.fragment, api_key, seconds)

    @property
    def name(self) -> str:
        """The model's name without its publisher, else the server's."""
        return self.model.rsplit("/", 1)[-1] or urlsplit(self.url).netloc

    @property
    def path(self) -> str:
        """The path of the URL without a trailing slash."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of each call."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


def is_address(setting: str) -> bool:
    """Whether a setting names a server."""
    return setting.startswith(("http://", "https://"))


def content_of(response: "httpx2.Response") -> Any:
    """The JSON body of a response.

    Raises:
        Unavailable: the server refused the call, or the body is not JSON.
    """
    if response.status_code != 200:
        raise Unavailable("ENGINE_UNAVAILABLE", f"The model's server answered with status {response.status_code}.")
    try:
        return response.json()
    except ValueError as error:
        raise Unavailable("ENGINE_UNAVAILABLE", "The model's server answered with something else than JSON.") from error
