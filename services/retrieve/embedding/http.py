"""An embedder that another server hosts. Blocks on the network.

Two APIs are supported, chosen by the path: `/embed` of Text Embeddings Inference, and `/v1/embeddings` of OpenAI and
many compatible servers, called by OpenAI's own library. An address with `?api-version=…` is called in Azure's way.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import Unavailable, engine_unavailable
from services.retrieve.embedding.embedder import ModelProfile, UnusableModel, unit

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI


EMBEDDINGS: Final = "/embeddings"
RETRIES: Final = 1
"""Retries of a call after a lost connection, 429 or 5xx (taste); each has the endpoint's full timeout."""
Rows = Callable[[Sequence[str]], Any]
"""Returns the vectors of texts in any array-like form; raises Unavailable if the server fails."""


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
        """Parse an address; raises UnusableModel if it has no host. The timeout is taste."""
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
    """The JSON body of a response; raises Unavailable if the server refused the call, or the body is not JSON."""
    if response.status_code != 200:
        raise engine_unavailable(
            f"The model's server answered with status {response.status_code}: check its address and key."
        )
    try:
        return response.json()
    except ValueError as error:
        raise engine_unavailable("The model's server did not answer with JSON: check its address.") from error


class HttpEncoder:
    """Calls an endpoint. Blocking: call it through `services.retrieve.embedding.batching`."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Embed one word to find the width of the vectors.

        Raises:
            UnusableModel: it does not answer, or the address ends neither with /embed nor with /embeddings.
        """
        if not endpoint.path.endswith(("/embed", EMBEDDINGS)):
            raise UnusableModel("the address of an embedder ends with /embed or /v1/embeddings")
        opening = _by_openai if endpoint.path.endswith(EMBEDDINGS) else _by_text_embeddings_inference
        self._rows, self._close = opening(endpoint)
        try:
            width = self._checked_vectors(["width"]).shape[1]
        except Unavailable as error:
            self.close()
            raise UnusableModel(error.message) from error
        self.profile = ModelProfile(endpoint.name, width)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Encoder`; raises Unavailable."""
        return unit(self._checked_vectors(texts))

    def close(self) -> None:
        """Close connections."""
        self._close()

    def _checked_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            vectors = np.asarray(self._rows(texts), np.float32)
        except (TypeError, KeyError, ValueError) as error:
            raise engine_unavailable("The embedding server's answer has an unknown form: check its address.") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise engine_unavailable(
                f"The embedding server gave vectors of shape {vectors.shape} for {len(texts)} texts."
            )
        return vectors


def _by_text_embeddings_inference(endpoint: Endpoint) -> tuple[Rows, Callable[[], None]]:
    import httpx2

    client = httpx2.Client(headers=endpoint.headers, timeout=endpoint.seconds)

    def rows(texts: Sequence[str]) -> Any:
        try:
            body = {"inputs": list(texts), "normalize": True, "truncate": True}
            return content_of(client.post(endpoint.url, json=body))
        except httpx2.HTTPError as error:
            raise _no_answer() from error

    return rows, client.close


def _by_openai(endpoint: Endpoint) -> tuple[Rows, Callable[[], None]]:
    import httpx2
    import openai

    client = _openai_client(endpoint)

    def rows(texts: Sequence[str]) -> Any:
        try:
            # The raw response: the library would create an object for each vector, and validate each of its numbers.
            response = client.embeddings.with_raw_response.create(
                model=endpoint.model, input=list(texts), encoding_format="float"
            )
        except openai.APIStatusError as error:
            content_of(error.response)
            raise
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise _no_answer() from error
        places = content_of(response.http_response)["data"]
        return [place["embedding"] for place in sorted(places, key=lambda place: place["index"])]

    return rows, client.close


def _openai_client(endpoint: Endpoint) -> "OpenAI":
    from openai import AzureOpenAI, OpenAI

    query = dict(parse_qsl(urlsplit(endpoint.url).query))
    settings: dict[str, Any] = {
        "base_url": urlsplit(endpoint.url)._replace(query="", path=endpoint.path.removesuffix(EMBEDDINGS)).geturl(),
        # Without a key the library takes one from the environment, which belongs to another address.
        "api_key": endpoint.api_key or "none",
        "timeout": endpoint.seconds,
        "max_retries": RETRIES,
    }
    if version := query.pop("api-version", ""):
        return AzureOpenAI(api_version=version, default_query=query, **settings)
    return OpenAI(default_query=query, **settings)


def _no_answer() -> Unavailable:
    return engine_unavailable("The embedding server does not answer: check PARLEY_RETRIEVE_EMBEDDER.")
