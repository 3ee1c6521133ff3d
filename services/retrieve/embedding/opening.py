"""Opens the configured embedder: a packaged model, a folder, a library, a server, or none. Blocks: call in a thread."""

from dataclasses import dataclass, replace
from pathlib import Path

from services.retrieve.embedding.embedder import Encoder, Habits, UnusableModel
from services.retrieve.embedding.http import Endpoint, HttpEncoder, is_address
from services.retrieve.embedding.multilingual import MULTILINGUAL, MultilingualEncoder
from services.retrieve.embedding.neural import FlagEmbeddingEncoder, SentenceTransformersEncoder
from services.retrieve.embedding.onnx_model import OnnxEncoder, scales_by_run
from services.retrieve.embedding.packaged import (
    PACKAGE,
    PACKAGED,
    ModelPrecision,
    packaged_folder,
    packaged_graph,
)

NONE = "none"
ONNX = "onnx"
BACKENDS = frozenset({ONNX, "sentence-transformers", "cross-encoder", "flag", "clip"})
"""Backends that a setting may name before a colon."""

_AS_FILED = Habits()


@dataclass(frozen=True, slots=True)
class NoEncoder:
    """Why there is no model, for error messages."""

    reason: str


def open_encoder(
    model: str,
    models: Path,
    threads: int,
    api_key: str = "",
    precision: ModelPrecision = ModelPrecision.INT8,
    habits: Habits = _AS_FILED,
) -> Encoder | NoEncoder:
    """The encoder that a setting names. Blocking.

    Args:
        model: as in the setting `embedder`.
        models: folder of fetched models and built graphs.
        threads: cores that one run may use.
        api_key: key for the server.
        precision: of the packaged model's weights; any other model has its own.
        habits: overrides of what a model's own files say; a server applies its own pooling.

    Raises:
        UnusableModel: a model that was named cannot be used. `auto` without the package is no error.
    """
    if model == NONE:
        return NoEncoder("the embedder is switched off")
    if model in ("auto", PACKAGED):
        packaged_encoder = _open_packaged(models, threads, precision)
        if isinstance(packaged_encoder, NoEncoder) and model == PACKAGED and not (models / model).is_dir():
            raise UnusableModel(packaged_encoder.reason)
        if not isinstance(packaged_encoder, NoEncoder) or model == "auto":
            return packaged_encoder
    if model == MULTILINGUAL:
        return MultilingualEncoder(threads)
    backend, name = backend_of(model)
    if backend == ONNX:
        folder = folder_of(name, models)
        graph = graph_in(folder)
        return OnnxEncoder(graph, folder, folder.name, threads, together=not scales_by_run(graph), habits=habits)
    if is_address(model):
        encoder: Encoder = HttpEncoder(Endpoint.of(model, api_key))
    else:
        encoder = FlagEmbeddingEncoder(name) if backend == "flag" else SentenceTransformersEncoder(name)
    encoder.profile = replace(habits, pooling=None).applied(encoder.profile)
    return encoder


def backend_of(model: str) -> tuple[str, str]:
    """The backend and the model's name, from a setting such as `flag:NAME`; a name alone is an ONNX folder."""
    backend, colon, name = model.partition(":")
    if is_address(model):
        return "http", model
    return (backend, name) if colon and backend in BACKENDS else (ONNX, model)


def folder_of(model: str, models: Path) -> Path:
    """The folder of a model: one of that name in `models`, or a path. Raises UnusableModel: it is neither."""
    folder = models / model if (models / model).is_dir() else Path(model)
    if not model or not folder.is_dir():
        raise UnusableModel(f"no model {model!r}: neither in the models folder nor a folder itself")
    return folder


def _open_packaged(models: Path, threads: int, precision: ModelPrecision) -> Encoder | NoEncoder:
    folder = packaged_folder()
    if folder is None:
        return NoEncoder(f"the model package {PACKAGE.replace('_', '-')} is not installed")
    graph = packaged_graph(folder, models / "built", precision)
    return OnnxEncoder(graph, folder, PACKAGED, threads, together=precision is ModelPrecision.FLOAT32)


def graph_in(folder: Path) -> Path:
    """`model.onnx` in the folder or, as in many exports, in its `onnx` folder."""
    graphs = folder / "model.onnx", folder / "onnx" / "model.onnx"
    return next((graph for graph in graphs if graph.is_file()), graphs[0])
