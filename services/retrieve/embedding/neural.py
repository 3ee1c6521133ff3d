"""Embedders of the `neural` extra: sentence-transformers and FlagEmbedding.

Imported only when one is opened: torch alone takes seconds and hundreds of megabytes. Opening and encoding block; a
model without a length takes 512 tokens, as BERT does.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import ModelProfile, UnusableModel


class SentenceTransformersEncoder:
    """A model of the Hugging Face hub or a folder. Blocking and not thread-safe."""

    def __init__(self, model: str) -> None:
        """Load the model, which is downloaded if it is a hub name that was not fetched before; raises UnusableModel."""
        with model_errors("sentence-transformers", model):
            from sentence_transformers import SentenceTransformer

            self._model: Any = SentenceTransformer(model)
        prompts = self._model.prompts or {}
        name = short_name(model)
        self.profile = ModelProfile(
            name,
            self._model.get_embedding_dimension(),
            query_prefix=prompts.get("query") or "",
            passage_prefix=prompts.get("passage") or prompts.get("document") or "",
            max_tokens=self._model.max_seq_length or 512,
        )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Encoder`. The texts already have their prefix, so no prompt is given."""
        vectors = self._model.encode(list(texts), prompt="", normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32)


class FlagEmbeddingEncoder:
    """A bge encoder model, such as BAAI/bge-large-en-v1.5: a name of the hub or a folder."""

    def __init__(self, model: str) -> None:
        """See `SentenceTransformersEncoder`."""
        with model_errors("FlagEmbedding", model):
            from FlagEmbedding import FlagModel

            self._model: Any = FlagModel(model, normalize_embeddings=True, use_fp16=False)
        name = short_name(model)
        prefix = _BGE_QUERY if name.startswith("bge-") and "-en" in name else ""
        width = int(self._model.model.config.hidden_size)
        self.profile = ModelProfile(name, width, query_prefix=prefix)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Encoder`."""
        return np.asarray(self._model.encode_corpus(list(texts)), np.float32).reshape(len(texts), self.profile.width)


_BGE_QUERY = "Represent this sentence for searching relevant passages: "
"""The query prefix that the English bge models were trained with (their model cards)."""


@contextmanager
def model_errors(library: str, model: str) -> Iterator[None]:
    """Convert errors of importing a library of the extra or loading a model to UnusableModel."""
    try:
        yield
    except ImportError as error:
        raise UnusableModel(f"{library} is not installed: pip install 'parley[neural]'") from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise UnusableModel(f"{library} cannot load {model!r}: check its name") from error


def short_name(model: str) -> str:
    """A model's name without its publisher or its folder's path."""
    return Path(model.rstrip("/")).name
