"""A cross-encoder in ONNX Runtime: any folder with `model.onnx` and `tokenizer.json`, as Hugging Face exports them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from services.retrieve.embedding.onnx_model import open_session, open_tokenizer
from services.retrieve.embedding.profile import UnusableModel, read_max_tokens
from services.retrieve.reranking.reranker import Pair, Scores


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
