"""A model that another server hosts, asked by JSON over HTTP.

An address is `http(s)://host/path#model`: the path tells the shape of the server, the fragment names its model, which
a server of one model does not need.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from libs.runtime.errors import Unavailable
from services.retrieve.embedding.profile import UnusableModel

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked."""

    url: str
    model: str = ""
    """Empty where the server has only one."""
    api_key: str = field(default="", repr=False)
    seconds: float = 30.0
    """Greatest time of a call."""

    @classmethod
    def of(cls, address: str, api_key: str = "", seconds: float = 30.0) -> "Endpoint":
        """Take an address apart.

        Raises:
            UnusableModel: it has no host.
        """
        parts = urlsplit(address)
        if not parts.hostname:
            raise UnusableModel(f"{address!r} has no host")
        return cls(parts._replace(fragment="").geturl(), parts.fragment, api_key, seconds)

    @property
    def name(self) -> str:
        """What the model is called: its own name without its publisher, else the server's."""
        return self.model.rsplit("/", 1)[-1] or urlsplit(self.url).netloc

    @property
    def path(self) -> str:
        """Without a slash at its end."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def headers(self) -> Mapping[str, str]:
        """What goes with each call."""
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}


def is_address(setting: str) -> bool:
    """Whether a setting names a server."""
    return setting.startswith(("http://", "https://"))


def content_of(response: "httpx2.Response") -> Any:
    """The JSON of an answer.

    Raises:
        Unavailable: the server refused, or it is no JSON.
    """
    if response.status_code != 200:
        raise Unavailable("ENGINE_UNAVAILABLE", f"The model's server answered with status {response.status_code}.")
    try:
        return response.json()
    except ValueError as error:
        raise Unavailable("ENGINE_UNAVAILABLE", "The model's server answered with something else than JSON.") from error
