"""A retriever of LlamaIndex (`llama-index-core`)."""

import asyncio
from typing import Any, Final

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from parley.client import AsyncParley, Parley
from parley.client.retrievers import metadata_of
from parley.client.values import Passage

UNREAD: Final = ["passage_id", "document_id", "collection", "score"]
"""Metadata that no model is shown."""


class ParleyRetriever(BaseRetriever):
    """Finds passages; `retrieve` and `aretrieve` raise ParleyError.

    ParleyRetriever(Parley("127.0.0.1:50051"), collection="notes").retrieve("When did Phoenix land?")

    Args:
        async_parley: searches for `aretrieve`, on the event loop where it was made; None: `parley` does in a thread.
        collection: empty: the default one.
        limit: greatest number of passages; 0: as the suite is set.
        options: those of every retriever of LlamaIndex.
    """

    def __init__(
        self,
        parley: Parley,
        async_parley: AsyncParley | None = None,
        *,
        collection: str = "",
        limit: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._parley = parley
        self._async_parley = async_parley
        self._where: dict[str, Any] = {"collection": collection, "limit": limit}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [node_of(passage) for passage in self._parley.search(query_bundle.query_str, **self._where)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_parley is None:
            return await asyncio.to_thread(self._retrieve, query_bundle)
        return [node_of(passage) for passage in await self._async_parley.search(query_bundle.query_str, **self._where)]


def node_of(passage: Passage) -> NodeWithScore:
    """A passage as LlamaIndex's node, whose source is the document."""
    node = TextNode(
        id_=passage.passage_id,
        text=passage.text,
        metadata=metadata_of(passage),
        excluded_llm_metadata_keys=UNREAD,
        excluded_embed_metadata_keys=UNREAD,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=passage.document_id)},
    )
    return NodeWithScore(node=node, score=passage.score)
