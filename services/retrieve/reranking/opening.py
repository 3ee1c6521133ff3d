"""Opens the configured reranker."""

from pathlib import Path

from services.retrieve.embedding.opening import NONE, backend_of, folder_of, graph_in
from services.retrieve.embedding.profile import UnusableModel
from services.retrieve.endpoint import Endpoint, is_address
from services.retrieve.reranking.http import HttpReranker
from services.retrieve.reranking.neural import FlagEmbeddingReranker, SentenceTransformersCrossEncoder
from services.retrieve.reranking.onnx_cross_encoder import OnnxCrossEncoder
from services.retrieve.reranking.reranker import PairScorer


def open_scorer(model: str, models: Path, threads: int) -> PairScorer | None:
    """The local model that a setting names; None for `none`. Blocking.

    Args:
        model: `none`; `onnx:` and the name of a folder in `models` or a path, which may also stand alone;
            `cross-encoder:` or `flag:` and a name of the Hugging Face hub or a path.
        models: folder of fetched models.
        threads: cores that one run may use.

    Raises:
        UnusableModel: it cannot be used.
    """
    if model == NONE:
        return None
    backend, name = backend_of(model)
    if backend == "cross-encoder":
        return SentenceTransformersCrossEncoder(name)
    if backend == "flag":
        return FlagEmbeddingReranker(name)
    folder = folder_of(name, models)
    return OnnxCrossEncoder(graph_in(folder), folder, folder.name, threads)


def open_remote(address: str, api_key: str, seconds: float) -> HttpReranker:
    """The server that a setting names.

    Raises:
        UnusableModel: it is not the address of a reranker.
    """
    if not is_address(address):
        raise UnusableModel(f"{address!r} is no address")
    return HttpReranker(Endpoint.of(address, api_key, seconds))
