"""What embedders have in common, and the profile of a model: `read_profile` blocks on its folder, the rest is pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from libs.inference.tokens import Tokens


class TextKind(StrEnum):
    """The purpose of a text: some models need a prefix for it."""

    QUERY = "QUERY"
    PASSAGE = "PASSAGE"


LANGUAGES = {"all-minilm-l6-v2": ("en",), "-en-v1": ("en",), "e5-small-v2": ("en",), "e5-base-v2": ("en",)}
"""The languages that a model was made for, by a lower-case part of its name; any other model is taken to know all."""


class Pooling(StrEnum):
    """How token vectors are combined into one."""

    MEAN = "mean"
    CLS = "cls"


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """The name, prefixes and limits of an embedding model."""

    name: str
    width: int
    pooling: Pooling = Pooling.MEAN
    query_prefix: str = ""
    passage_prefix: str = ""
    max_tokens: int = 256  # of a text; the rest is ignored (all-MiniLM-L6-v2's length)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it was made for, ISO 639-1; empty for all."""
        name = self.name.lower()
        return next((languages for family, languages in LANGUAGES.items() if family in name), ())


class Encoder(Protocol):
    """A model: blocking, one call at a time."""

    profile: ModelProfile

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, shape (texts, width), in order."""


class TokenEncoder(Protocol):
    """A model that shows its hidden states: blocking, one call at a time, which may be beside one of `encode`."""

    profile: ModelProfile
    layers: Sequence[int]
    """Those whose states it shows; 1 is the first. Empty for none."""

    def read(self, text: str, layers: Sequence[int]) -> Tokens:
        """The first tokens of a text, with their states in some of `layers`, as 16-bit floats.

        With those of the last layer comes the vector that `encode` gives, but for a text that `encode` cuts.
        """


@dataclass(frozen=True, slots=True)
class Habits:
    """Overrides of what a model's own files say, which may be incomplete; None keeps what they say."""

    pooling: Pooling | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None

    def applied(self, profile: ModelProfile) -> ModelProfile:
        """The profile with these overrides.

        The name includes every override that changes the vectors of passages, because they cannot be compared with
        others.
        """
        pooling = self.pooling or profile.pooling
        passage = profile.passage_prefix if self.passage_prefix is None else self.passage_prefix
        query = profile.query_prefix if self.query_prefix is None else self.query_prefix
        overrides = [pooling.value] if pooling is not profile.pooling else []
        overrides += [passage.strip() or "bare"] if passage != profile.passage_prefix else []
        name = f"{profile.name} ({', '.join(overrides)})" if overrides else profile.name
        return replace(profile, name=name, pooling=pooling, query_prefix=query, passage_prefix=passage)


class UnusableModel(Exception):  # noqa: N818 - it names what is wrong
    """A model folder lacks a file, or requires an unsupported feature."""


def read_profile(folder: Path, name: str, width: int) -> ModelProfile:
    """A profile from a folder of sentence-transformers or Hugging Face; missing files mean the defaults.

    Reads `1_Pooling/config.json` (pooling), `config_sentence_transformers.json` (prompts named query and passage or
    document) and `sentence_bert_config.json` or `tokenizer_config.json` (the greatest length).

    Raises:
        UnusableModel: the pooling is neither the mean nor the first token.
    """
    prompts = _read(folder / "config_sentence_transformers.json").get("prompts") or {}
    return ModelProfile(
        name,
        width,
        _pooling(_read(folder / "1_Pooling" / "config.json")),
        query_prefix=str(prompts.get("query", "")),
        passage_prefix=str(prompts.get("passage", prompts.get("document", ""))),
        max_tokens=read_max_tokens(folder),
    )


def _pooling(config: dict[str, Any]) -> Pooling:
    if config.get("pooling_mode_cls_token") or config.get("pooling_mode") == "cls":
        return Pooling.CLS
    modes = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    if any(key != "pooling_mode_mean_tokens" for key in modes):
        raise UnusableModel(f"pooling {', '.join(modes)} is not supported: mean or cls is")
    return Pooling.MEAN


def read_max_tokens(folder: Path) -> int:
    """The model's training length, at most 512: longer texts are costly and retrieval passages are short (taste)."""
    length = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    length = length or _read(folder / "tokenizer_config.json").get("model_max_length") or 512
    return min(int(length), 512)


READ_TOKENS = 384
"""Tokens of a text that are read one by one, by the contract: about 280 words, more than most answers have."""


def read_layers(folder: Path) -> int:
    """How many layers a model has; 0 if its files do not say it."""
    return int(_read(folder / "config.json").get("num_hidden_layers") or 0)


def read_most_tokens(folder: Path) -> int:
    """How many tokens of a text a model can read one by one."""
    return min(int(_read(folder / "config.json").get("max_position_embeddings") or READ_TOKENS), READ_TOKENS)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise UnusableModel(f"{path.name} is not JSON") from error
    return content if isinstance(content, dict) else {}


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each row to length 1; a row of zeros stays (1e-12, against division by zero: taste)."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return rows
