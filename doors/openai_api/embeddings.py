"""OpenAI's embeddings: the request, checked, and the response."""

import base64
from typing import Annotated, Any, Final, Literal

import numpy as np
from pydantic import ConfigDict, Field, field_validator

from doors.answer_data import Json
from doors.nulls import NullIsAbsent
from doors.openai_api.chat_request import MODEL, UnusableRequest
from parley.client.calls import Call
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import inference_pb2

MAX_BYTES: Final = 4 * 1024 * 1024
MAX_TEXTS: Final = 1024
MAX_CHARACTERS: Final = 65_536
"""Of a body, of its texts, and of a text; by the contract."""
KINDS: Final = {"query": inference_pb2.TEXT_KIND_QUERY, "passage": inference_pb2.TEXT_KIND_PASSAGE}


class EmbeddingRequest(NullIsAbsent):
    """The body of a request for embeddings."""

    model_config = ConfigDict(extra="ignore")

    input: list[Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]] = Field(
        min_length=1, max_length=MAX_TEXTS
    )
    model: str = MODEL
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None
    input_type: Literal["query", "passage"] = "passage"
    """The role of the texts, as other servers of embeddings name it; OpenAI's models have none."""

    @field_validator("input", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    def call(self) -> Call[gateway_pb2.EmbedTextsResponse]:
        """The call of the suite."""
        request = gateway_pb2.EmbedTextsRequest(texts=self.input, kind=KINDS[self.input_type])
        return Call("gateway", "EmbedTexts", request, lambda response: response)

    def response(self, embedded: gateway_pb2.EmbedTextsResponse) -> Json:
        """The body of the response; words are counted as tokens.

        Raises:
            UnusableRequest: another model, or another width, was asked for.
        """
        if self.model not in (MODEL, embedded.model):
            message = f"There is no model {self.model!r}, only {embedded.model!r}, which is {MODEL!r}, too."
            raise UnusableRequest(message, "model", "model_not_found", 404)
        if self.dimensions not in (None, embedded.width):
            raise UnusableRequest(f"dimensions: Vectors of this model have {embedded.width} values.", "dimensions")
        data = [
            {"object": "embedding", "index": index, "embedding": self._written(each.values)}
            for index, each in enumerate(embedded.embeddings)
        ]
        words = sum(len(text.split()) for text in self.input)
        usage = {"prompt_tokens": words, "total_tokens": words}
        return {"object": "list", "data": data, "model": embedded.model, "usage": usage}

    def _written(self, values: Any) -> list[float] | str:
        """A vector as numbers, or as their bytes: 32 bits each, the least significant first."""
        if self.encoding_format == "float":
            return list(values)
        return base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode()
