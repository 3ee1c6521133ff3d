"""Opens the configured reranker."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from services.retrieve.embedding.embedder import UnusableModel, read_max_tokens
from services.retrieve.embedding.endpoint import Endpoint, is_address
from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.embedding.onnx_model import open_session, open_tokenizer
from services.retrieve.embedding.opening import NONE, backend_of, folder_of, graph_in
from services.retrieve.reranking.http import HttpReranker
from services.retrieve.reranking.reranker import Pair, PairScorer, Scores


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


class OnnxCrossEncoder:
    """Scores pairs. Blocking and not thread-safe."""

    def __init__(self, graph: Path, folder: Path, name: str, threads: int) -> None:
        """Load a model.

        Args:
            graph: the ONNX file; its first output is logits, shape (batch, 1) or (batch, 2).
            folder: holds `tokenizer.json` and any configuration files of the model.
            name: the model's name.
            threads: cores that one run may use.

        Raises:
            UnusableModel: a file is missing or the graph has another shape.
        """
        self.name = name
        self._session = open_session(graph, threads)
        labels = self._session.get_outputs()[0].shape[-1]
        if labels not in (1, 2):
            raise UnusableModel(f"a reranker gives one logit or two, this graph gives {labels}")
        self._inputs = {node.name for node in self._session.get_inputs()}
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", read_max_tokens(folder))

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`: the logistic function of the logit, or of the second logit minus the first."""
        encodings = self._tokenizer.encode_batch(list(pairs))
        inputs = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
            "attention_mask": np.array([encoding.attention_mask for encoding in encodings], np.int64),
            "token_type_ids": np.array([encoding.type_ids for encoding in encodings], np.int64),
        }
        logits = self._session.run(None, {name: inputs[name] for name in self._inputs})[0].astype(np.float64)
        return logistic(logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0.0))


def logistic(logits: Scores) -> Scores:
    """1 / (1 + exp(-x)), without overflow."""
    scores: Scores = np.exp(-np.logaddexp(0.0, -logits))
    return scores


class SentenceTransformersCrossEncoder:
    """A model of the Hugging Face hub or a folder. Blocking and not thread-safe."""

    def __init__(self, model: str) -> None:
        """Load the model; downloads it if it is a hub name that was not fetched before.

        Raises:
            UnusableModel: the extra is not installed, or the model cannot be loaded.
        """
        self.name = short_name(model)
        with model_errors("sentence-transformers", model):
            from sentence_transformers import CrossEncoder
            from torch.nn import Sigmoid

            self._model: Any = CrossEncoder(model)
            self._probability = Sigmoid()

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`."""
        scores = self._model.predict(list(pairs), activation_fn=self._probability, show_progress_bar=False)
        return np.asarray(scores, np.float64).reshape(len(pairs))


class FlagEmbeddingReranker:
    """A bge encoder reranker, such as BAAI/bge-reranker-v2-m3: a name of the hub or a folder."""

    def __init__(self, model: str) -> None:
        """See `SentenceTransformersCrossEncoder`."""
        self.name = short_name(model)
        with model_errors("FlagEmbedding", model):
            from FlagEmbedding import FlagReranker

            self._model: Any = FlagReranker(model, normalize=True)

    def score(self, pairs: Sequence[Pair]) -> Scores:
        """See `PairScorer`."""
        return np.asarray(self._model.compute_score(list(pairs)), np.float64).reshape(len(pairs))
