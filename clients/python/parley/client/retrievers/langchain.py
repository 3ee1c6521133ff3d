"""A retriever of LangChain (`langchain-core`)."""

import asyncio
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from parley.client import AsyncParley, Parley
from parley.client.retrievers import metadata_of
from parley.client.values import Passage


class ParleyRetriever(BaseRetriever):
    """Finds passages; `invoke` and `ainvoke` raise ParleyError.

    ParleyRetriever(parley=Parley("127.0.0.1:50051"), collection="notes").invoke("When did Phoenix land?")
    """

    parley: Parley
    async_parley: AsyncParley | None = None
    """Searches for `ainvoke`, on the event loop where it was made; without it, `parley` does in a thread."""
    collection: str = ""
    """Empty: the default one."""
    limit: int = Field(default=0, ge=0)
    """Greatest number of passages; 0: as the suite is set."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.parley.search(query, collection=self.collection, limit=self.limit)
        return [document_of(passage) for passage in found]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        where: dict[str, Any] = {"collection": self.collection, "limit": self.limit}
        if self.async_parley is None:
            found = await asyncio.to_thread(self.parley.search, query, **where)
        else:
            found = await self.async_parley.search(query, **where)
        return [document_of(passage) for passage in found]


def document_of(passage: Passage) -> Document:
    """A passage as LangChain's document; its id is the passage's."""
    return Document(id=passage.passage_id, page_content=passage.text, metadata=metadata_of(passage))
