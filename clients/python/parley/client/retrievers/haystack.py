"""A retriever of Haystack (`haystack-ai`)."""

from typing import Any

from haystack import Document, component
from haystack.utils import Secret

from parley.client import AsyncParley, Parley, Tls
from parley.client.retrievers import metadata_of
from parley.client.values import Passage


@component
class ParleyRetriever:
    """Finds passages as `documents`; raises ParleyError. Each search has a connection of its own, for any event loop.

    ParleyRetriever("127.0.0.1:50051", collection="notes").run("When did Phoenix land?")["documents"]

    Args:
        addresses: `host:port` of a gateway, several with commas between them.
        token: a JSON Web Token or an API key.
        principals: names of the user, which a suite without authentication believes from its own machine.
        ca: path of a PEM file: who signed the suite's certificate; None: nothing is encrypted.
        collection: empty: the default one.
        top_k: greatest number of passages; 0: as the suite is set.
    """

    def __init__(
        self,
        addresses: str = "127.0.0.1",
        *,
        token: Secret | None = None,
        principals: list[str] | None = None,
        ca: str | None = None,
        collection: str = "",
        top_k: int = 0,
    ) -> None:
        self.addresses, self.token, self.principals, self.ca = addresses, token, principals, ca
        self.collection, self.top_k = collection, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Find passages; `top_k` comes before that of the component."""
        with Parley(self.addresses, **self._connection()) as parley:
            return _output(parley.search(query, **self._where(top_k)))

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Do as `run` does, on the event loop."""
        async with AsyncParley(self.addresses, **self._connection()) as parley:
            return _output(await parley.search(query, **self._where(top_k)))

    def _connection(self) -> dict[str, Any]:
        token = (self.token.resolve_value() or "") if self.token else ""
        return {"token": token, "principals": self.principals or (), "tls": Tls(ca=self.ca) if self.ca else None}

    def _where(self, top_k: int | None) -> dict[str, Any]:
        return {"collection": self.collection, "limit": self.top_k if top_k is None else top_k}


def _output(found: tuple[Passage, ...]) -> dict[str, list[Document]]:
    return {"documents": [document_of(passage) for passage in found]}


def document_of(passage: Passage) -> Document:
    """A passage as Haystack's document; its id is the passage's."""
    return Document(id=passage.passage_id, content=passage.text, meta=metadata_of(passage), score=passage.score)
