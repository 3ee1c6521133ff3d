"""Builds an ONNX graph of a BERT encoder from its safetensors, without torch. Blocks, in `build_graph` on the disk.

The layers use the fused operators of ONNX Runtime (`com.microsoft`: Attention, SkipLayerNormalization, BiasGelu), which
include the masks and residuals that separate operators would spell out. The graph takes `input_ids` and
`attention_mask`, int64 of shape (batch, tokens), and returns `last_hidden_state`, float32 (batch, tokens, width), and
the same of an earlier layer, if the model has it.
"""

import json
import mmap
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import UnusableModel

if TYPE_CHECKING:
    import onnx


FUSED = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""
LAYER = "layer_"
"""How the output of a layer is named, before its number."""
SHOWN_LAYER = 4
"""The layer whose states are returned beside the last one's: what says which words a follow-up leaves out is fitted to
these two. With all six returned, a text of 256 tokens took 3 % longer, since their memory is not used again."""
_OPSET = 20  # of ONNX 1.15; the operators used are there from 18 on
_IR_VERSION = 9  # of ONNX 1.15


@dataclass(slots=True)
class BertGraph:
    """Collects nodes and weights, layer by layer; the private methods return the names of the values they make."""

    config: Mapping[str, Any]
    tensors: Mapping[str, NDArray[np.float32]]
    nodes: "list[onnx.NodeProto]" = field(default_factory=list)
    weights: "list[onnx.TensorProto]" = field(default_factory=list)
    inputs_by_product: dict[str, str] = field(default_factory=dict)
    """The input of each matrix product, by the product's name."""

    def model(self) -> "onnx.ModelProto":
        """The whole encoder."""
        from onnx import TensorProto, helper

        mask = self._node("Cast", ["attention_mask"], to=TensorProto.INT32)
        states = self._embeddings()
        names = ["last_hidden_state"]
        for layer in range(1, self.config["num_hidden_layers"] + 1):
            states = self._layer(f"encoder.layer.{layer - 1}.", states, mask)
            if layer == SHOWN_LAYER:
                self.nodes[-1].output[0] = states = f"{LAYER}{layer}"
                names.append(states)
        self.nodes.append(helper.make_node("Identity", [states], ["last_hidden_state"]))
        shape, info = ["batch", "tokens"], helper.make_tensor_value_info
        inputs = [info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")]
        outputs = [info(name, TensorProto.FLOAT, [*shape, self.config["hidden_size"]]) for name in names]
        graph = helper.make_graph(self.nodes, "bert", inputs, outputs, self.weights)
        versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=_IR_VERSION)

    def _embeddings(self) -> str:
        """Word + position + type, normalized. Each text is one sentence, so its type is always the first."""
        words = self._weight("words", self._tensor("embeddings.word_embeddings.weight"))
        by_place = self._tensor("embeddings.position_embeddings.weight")
        places = self._weight("places", by_place + self._tensor("embeddings.token_type_embeddings.weight")[0])
        first, second, third = (self._weight(f"integer{value}", np.array([value], np.int64)) for value in (0, 1, 2))
        length = self._node("Slice", [self._node("Shape", ["input_ids"]), second, third])
        places_of_text = self._node("Slice", [places, first, length, first])
        total = self._node("Add", [self._node("Gather", [words, "input_ids"]), places_of_text])
        scale, shift = self._norm("embeddings.LayerNorm")
        return self._node("LayerNormalization", [total, scale, shift], axis=-1, epsilon=self._epsilon)

    def _layer(self, prefix: str, states: str, mask: str) -> str:
        """Self-attention, then the feed-forward part, each added to its input and normalized."""
        attention = self._attention(f"{prefix}attention.", states, mask)
        intermediate = self._matmul(f"{prefix}intermediate.dense", attention)
        bias = self._weight(f"{prefix}intermediate.bias", self._tensor(f"{prefix}intermediate.dense.bias"))
        activation = self._node("BiasGelu", [intermediate, bias], FUSED)
        return self._add_and_norm(f"{prefix}output", activation, attention)

    def _attention(self, prefix: str, states: str, mask: str) -> str:
        matrix, bias = self._query_key_value(prefix)
        self.inputs_by_product[f"{prefix}qkv"] = states
        inputs = [states, self._weight(f"{prefix}qkv", matrix), self._weight(f"{prefix}qkv.bias", bias), mask]
        heads = self.config["num_attention_heads"]
        return self._add_and_norm(f"{prefix}output", self._node("Attention", inputs, FUSED, num_heads=heads), states)

    def _query_key_value(self, prefix: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The three projections side by side: one matrix, one bias."""
        parts = [f"{prefix}self.{name}" for name in ("query", "key", "value")]
        matrix = np.concatenate([self._tensor(f"{part}.weight").T for part in parts], axis=1)
        return matrix, np.concatenate([self._tensor(f"{part}.bias") for part in parts])

    def _add_and_norm(self, prefix: str, value: str, residual: str) -> str:
        """norm(residual + dense(value))"""
        projection = self._matmul(f"{prefix}.dense", value)
        bias = self._weight(f"{prefix}.bias", self._tensor(f"{prefix}.dense.bias"))
        inputs = [projection, residual, *self._norm(f"{prefix}.LayerNorm"), bias]
        return self._node("SkipLayerNormalization", inputs, FUSED, epsilon=self._epsilon)

    def _matmul(self, name: str, value: str) -> str:
        self.inputs_by_product[name] = value
        return self._node("MatMul", [value, self._weight(name, self._tensor(f"{name}.weight").T)])

    def _norm(self, name: str) -> tuple[str, str]:
        scale, shift = self._tensor(f"{name}.weight"), self._tensor(f"{name}.bias")
        return self._weight(f"{name}.scale", scale), self._weight(f"{name}.shift", shift)

    @property
    def _epsilon(self) -> float:
        return float(self.config["layer_norm_eps"])

    def _tensor(self, name: str) -> NDArray[np.float32]:
        tensor = self.tensors.get(name)
        if tensor is None:
            tensor = self.tensors.get(f"bert.{name}")
        if tensor is None:
            raise UnusableModel(f"model.safetensors has no tensor {name}")
        return tensor

    def _weight(self, name: str, values: NDArray[np.generic]) -> str:
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(self, operator: str, inputs: list[str], domain: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], output, domain=domain, **attributes))
        return output


Making = Callable[[Mapping[str, Any], Mapping[str, NDArray[np.float32]]], BertGraph]
"""Makes a graph from a model's configuration and tensors."""


def build_graph(folder: Path, target: Path, make: Making = BertGraph) -> None:
    """Write the graph of the model in `folder` (config.json, model.safetensors) to `target`, atomically.

    `make` determines how matrix products are written.

    Raises:
        UnusableModel: it is not a BERT encoder with absolute positions and GELU.
    """
    import onnx  # takes a third of a second and 30 MB, and only a build needs it

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    _require_bert(config)
    model = make(config, load_tensors(folder / "model.safetensors")).model()
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(f".{os.getpid()}.new")
    onnx.save(model, str(fresh))
    fresh.replace(target)


def _require_bert(config: Mapping[str, Any]) -> None:
    expected = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in expected.items():
        if config.get(key, value) != value:
            raise UnusableModel(f"cannot build a graph for {key} {config[key]!r}, only for {value!r}")


_DTYPES = {"F32": np.float32, "F16": np.float16}


def load_tensors(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """Every floating-point tensor of the file by name, as float32; other types are left out.

    Raises:
        ValueError: it is not a safetensors file.
    """
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = 8 + int.from_bytes(content[:8], "little")  # the header's length comes first, in 8 bytes
    if begin > len(content):
        raise ValueError(f"{path.name} is no safetensors file")
    header = json.loads(content[8:begin])
    return {
        name: _tensor(content, begin, entry)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in _DTYPES
    }


def _tensor(content: mmap.mmap, begin: int, entry: Mapping[str, Any]) -> NDArray[np.float32]:
    shape, offsets = entry["shape"], entry["data_offsets"]
    dtype = np.dtype(_DTYPES[str(entry["dtype"])])
    count = (offsets[1] - offsets[0]) // dtype.itemsize
    values = np.frombuffer(content, dtype, count, begin + offsets[0])
    tensor: NDArray[np.float32] = values.reshape(shape).astype(np.float32, copy=False)
    return tensor
