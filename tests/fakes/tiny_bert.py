"""A BERT of a few random weights, as the files that a model folder holds, and the same mathematics in numpy."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, INNER, PLACES = 16, 2, 2, 32, 24
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "moon", "mars", "probe", "landed", "on")

Tensors = Mapping[str, NDArray[np.float32]]


def random_tensors(layers: int = LAYERS) -> Tensors:
    """Weights under the names that Hugging Face gives them."""
    chance = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **_norm("embeddings.LayerNorm"),
    }
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= _dense(f"{prefix}attention.{part}", WIDTH, WIDTH)
        shapes |= _dense(f"{prefix}intermediate.dense", WIDTH, INNER) | _dense(f"{prefix}output.dense", INNER, WIDTH)
        shapes |= _norm(f"{prefix}attention.output.LayerNorm") | _norm(f"{prefix}output.LayerNorm")
    return {name: chance.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def write_model(folder: Path, tensors: Tensors, **config: object) -> None:
    """config.json, model.safetensors and tokenizer.json."""
    folder.mkdir(parents=True, exist_ok=True)
    model_config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "layer_norm_eps": 1e-12,
        "vocab_size": len(WORDS),
        "max_position_embeddings": PLACES,
    }
    (folder / "config.json").write_text(json.dumps({**model_config, **config}))
    (folder / "model.safetensors").write_bytes(_safetensors(tensors))
    write_tokenizer(folder)


def write_tokenizer(folder: Path) -> None:
    """A tokenizer that knows WORDS and truncates at 4 tokens, as badly exported ones do."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        "[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", [("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.enable_truncation(4)
    tokenizer.save(str(folder / "tokenizer.json"))


def token_ids(text: str) -> list[int]:
    """What the tokenizer makes of a text of known words."""
    return [2, *(WORDS.index(word) for word in text.split()), 3]


def hidden_states(tensors: Tensors, ids: list[int], layers: int = LAYERS) -> NDArray[np.float32]:
    """The vector of each token after some layers, by the textbook (Devlin et al. 2019), in numpy."""
    places = tensors["embeddings.position_embeddings.weight"][: len(ids)]
    states = tensors["embeddings.word_embeddings.weight"][ids] + places
    states = _normalised(
        tensors, "embeddings.LayerNorm", states + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}."
        attention = _linear(tensors, f"{prefix}attention.output.dense", _attention(tensors, prefix, states))
        states = _normalised(tensors, f"{prefix}attention.output.LayerNorm", states + attention)
        inner = _gelu(_linear(tensors, f"{prefix}intermediate.dense", states))
        states = _normalised(
            tensors, f"{prefix}output.LayerNorm", states + _linear(tensors, f"{prefix}output.dense", inner)
        )
    return states


def _attention(tensors: Tensors, prefix: str, states: NDArray[np.float32]) -> NDArray[np.float32]:
    query, key, value = (
        np.split(_linear(tensors, f"{prefix}attention.self.{name}", states), HEADS, axis=1)
        for name in ("query", "key", "value")
    )
    heads = []
    for q, k, v in zip(query, key, value, strict=True):
        scores = np.exp(q @ k.T / np.sqrt(WIDTH // HEADS))
        heads.append(scores / scores.sum(axis=1, keepdims=True) @ v)
    return np.concatenate(heads, axis=1)


def _linear(tensors: Tensors, name: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    return values @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]


def _normalised(tensors: Tensors, name: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    deviations = values - values.mean(axis=1, keepdims=True)
    normal_values: NDArray[np.float32] = deviations / np.sqrt(values.var(axis=1, keepdims=True) + 1e-12)
    return normal_values * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]


def _gelu(values: NDArray[np.float32]) -> NDArray[np.float32]:
    from math import erf

    smooth: NDArray[np.float32] = 0.5 * values * (1 + np.vectorize(erf)(values / np.sqrt(2)))
    return smooth


def _dense(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}


def _safetensors(tensors: Tensors) -> bytes:
    header, content = {}, b""
    for name, values in tensors.items():
        raw = values.tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(values.shape),
            "data_offsets": [len(content), len(content) + len(raw)],
        }
        content += raw
    encoded_header = json.dumps(header).encode()
    return len(encoded_header).to_bytes(8, "little") + encoded_header + content
