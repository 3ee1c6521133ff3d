"""Learned sparse vectors (ELSER and similar models) from an inference endpoint of the cluster."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import structlog

from libs.elastic.server import ElasticsearchServer

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

TEXTS_A_REQUEST = 16
"""An ELSER allocation of one core takes some ten passages a second; larger requests only delay the answer."""

_log = structlog.get_logger("parley.elasticsearch")

Tokens = Mapping[str, float]


class SparseEncoder:
    """Weighs the tokens of texts by a learned model."""

    def __init__(self, server: ElasticsearchServer, endpoint: str) -> None:
        """Nothing is called yet.

        Args:
            server: the cluster, which need not have the endpoint.
            endpoint: the id of an inference endpoint of the task `sparse_embedding`.
        """
        self._server = server.apart("the inference endpoint")
        self.endpoint = endpoint

    def exists_in_cluster(self) -> bool:
        """Whether the cluster has the endpoint.

        Raises:
            Unavailable: the server does not answer.
        """
        from elasticsearch import BadRequestError, NotFoundError

        def look(client: "Elasticsearch") -> bool:
            try:
                client.inference.get(inference_id=self.endpoint)
            except (BadRequestError, NotFoundError):  # 400: a cluster without inference
                return False
            return True

        exists = self._server.ask(look)
        if not exists:
            _log.warning("the cluster has no such inference endpoint: BM25 alone scores", endpoint=self.endpoint)
        return exists

    def of_passages(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, in order.

        Raises:
            Unavailable: the endpoint does not answer.
        """
        tokens: list[Tokens] = []
        for first in range(0, len(texts), TEXTS_A_REQUEST):
            chunk = list(texts[first : first + TEXTS_A_REQUEST])
            answer = self._server.ask_patiently(
                lambda client, chunk=chunk: client.inference.sparse_embedding(  # type: ignore[misc]
                    inference_id=self.endpoint, input=chunk, timeout="60s"
                )
            )
            tokens += [item["embedding"] for item in answer["sparse_embedding"]]
        return tokens

    def of_query(self, text: str) -> Tokens:
        """The tokens of a query.

        Raises:
            Unavailable: the endpoint does not answer in time.
        """
        answer = self._server.ask(
            lambda client: client.inference.sparse_embedding(inference_id=self.endpoint, input=text)
        )
        tokens: Tokens = answer["sparse_embedding"][0]["embedding"]
        return tokens
