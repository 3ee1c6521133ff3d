"""The graph of `onnx_graph` with eight-bit weights: a quarter of the bytes to read, and integer products.

A short query reads each weight once, so memory bandwidth determines its time: all-MiniLM-L6-v2 takes 3 ms of a core,
and 8 with float32 (12 tokens, a core with VNNI and AMX). The input of a product is scaled to eight bits over all its
values, so outliers would cost precision. They are reduced first: channels with a large range are divided by about that
range (SmoothQuant, Xiao et al. 2023), and the activation's output for each token by the token's largest value. Cosines
to the float32 vectors of a hundred questions: mean .999, least .998; without that .994 and .985. Blocks: measuring the
ranges runs the model, from a file in a temporary folder.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.onnx_graph import FUSED, BertGraph

Reach = NDArray[np.float32]
"""The largest absolute value of each channel."""

_MAX_CODE = 127  # the largest signed byte
_MOVED = 0.75
"""Share of a channel's range that is moved into the weights; .65 and .85 differ by .0001 of the cosine."""
_TEXTS, _TOKENS = 8, 32
"""Size of the input for measuring ranges: random tokens, which work as well as 100 passages (taste)."""
_TINY = 1e-6  # against division by zero (taste)


def int8_graph(config: Mapping[str, Any], tensors: Mapping[str, NDArray[np.float32]]) -> "Int8BertGraph":
    """For `build_graph`. Runs the float32 model once to measure the range of its values."""
    return Int8BertGraph(config, tensors, reach=_measure_reach(BertGraph(config, tensors)))


@dataclass(slots=True)
class Int8BertGraph(BertGraph):
    """Writes each matrix product with eight-bit weights, one scale per column."""

    reach: Mapping[str, Reach] = field(default_factory=dict)
    """The range of each product's input channels, by the product's name."""

    def _matmul(self, name: str, value: str) -> str:
        weights = self._tensor(f"{name}.weight").T
        if name.endswith("intermediate.dense"):
            return self._equalized(name, value, weights)
        return self._quantized(name, value, weights) if "attention" in name else self._by_token(name, value, weights)

    def _attention(self, prefix: str, states: str, mask: str) -> str:
        from onnx import helper

        matrix, bias = self._query_key_value(prefix)
        product = self._equalized(f"{prefix}qkv", states, matrix)
        parts = [f"{prefix}{part}" for part in ("query", "key", "value")]
        self.nodes.append(helper.make_node("Split", [product], parts, parts[0], axis=-1, num_outputs=3))
        inputs = [*parts, self._weight(f"{prefix}qkv.bias", bias), mask]
        heads = self.config["num_attention_heads"]
        attention = self._node("MultiHeadAttention", inputs, FUSED, num_heads=heads)
        return self._add_and_norm(f"{prefix}output", attention, states)

    def _equalized(self, name: str, value: str, weights: NDArray[np.float32]) -> str:
        """value @ weights, with the ranges of the channels of `value` equalized."""
        largest = np.abs(weights).max(axis=1)
        factors = np.maximum(self.reach[name], _TINY) ** _MOVED / np.maximum(largest, _TINY) ** (1 - _MOVED)
        factors = (factors / np.exp(np.log(factors).mean())).astype(np.float32)
        product = self._node("Mul", [value, self._weight(f"{name}.even", 1 / factors)])
        return self._quantized(name, product, weights * factors[:, None])

    def _by_token(self, name: str, value: str, weights: NDArray[np.float32]) -> str:
        """value @ weights, where `value` is the output of GELU, which is never far below 0."""
        largest = self._node("ReduceMax", [value, self._weight(f"{name}.last", np.array([-1], np.int64))], keepdims=1)
        largest = self._node("Max", [largest, self._weight(f"{name}.tiny", np.array([_TINY], np.float32))])
        product = self._quantized(name, self._node("Div", [value, largest]), weights)
        return self._node("Mul", [product, largest])

    def _quantized(self, name: str, value: str, weights: NDArray[np.float32]) -> str:
        scale = (np.maximum(np.abs(weights).max(axis=0), _TINY) / _MAX_CODE).astype(np.float32)
        small = np.rint(weights / scale).astype(np.int8)
        zeros = np.zeros(len(scale), np.int8)
        inputs = [value, self._weight(f"{name}.int8", small), self._weight(f"{name}.scale", scale)]
        return self._node("DynamicQuantizeMatMul", [*inputs, self._weight(f"{name}.zeros", zeros)], FUSED)


def _measure_reach(graph: BertGraph) -> Mapping[str, Reach]:
    import onnxruntime
    from onnx import TensorProto, helper, save

    model = graph.model()
    values = list(dict.fromkeys(graph.inputs_by_product.values()))
    shown = {output.name for output in model.graph.output}
    hidden = (value for value in values if value not in shown)
    model.graph.output.extend(helper.make_tensor_value_info(value, TensorProto.FLOAT, None) for value in hidden)
    graph.weights.clear()
    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = False  # memory taken here is hardly ever released, so take little
    options.add_session_config_entry("session.disable_prepacking", "1")
    with TemporaryDirectory() as folder:
        save(model, str(Path(folder) / "full.onnx"))
        del model
        session = onnxruntime.InferenceSession(str(Path(folder) / "full.onnx"), options)
    length = min(_TOKENS, graph.config["max_position_embeddings"])
    tokens = np.random.default_rng(0).integers(0, graph.config["vocab_size"], (_TEXTS, length))
    outputs = session.run(values, {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})
    reach = {value: np.abs(output).max(axis=(0, 1)) for value, output in zip(values, outputs, strict=True)}
    return {name: reach[value] for name, value in graph.inputs_by_product.items()}
