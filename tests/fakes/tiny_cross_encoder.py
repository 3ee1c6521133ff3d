"""A cross-encoder in ONNX whose logit is the sum of the passage's words' weights, as the files that a folder holds."""

from pathlib import Path

import numpy as np

from tests.fakes.tiny_bert import WORDS, write_tokenizer

WEIGHTS = {"moon": 2.0, "mars": -1.0, "probe": 0.5}
"""Of words; all others weigh nothing."""


def logit(passage: str) -> float:
    """What the model gives for a passage of known words, whatever the query."""
    return sum(WEIGHTS.get(word, 0.0) for word in passage.split())


def write_cross_encoder(folder: Path, labels: int = 1) -> None:
    """model.onnx and tokenizer.json. With two labels the second is half the sum, the first the other half negated."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    shares = np.array([[1.0]] if labels == 1 else [[-0.5, 0.5, *[0.0] * (labels - 2)]], np.float32)
    column = np.array([[WEIGHTS.get(word, 0.0)] for word in WORDS], np.float32)
    weights = [numpy_helper.from_array(value, name) for name, value in (("weights", column), ("shares", shares))]
    axis = numpy_helper.from_array(np.array([1], np.int64), "axis")
    last = numpy_helper.from_array(np.array([-1], np.int64), "last")
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["said"]),
        helper.make_node("Mul", ["attention_mask", "token_type_ids"], ["second"]),
        helper.make_node("Cast", ["second"], ["of_passage"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["of_passage", "last"], ["column"]),
        helper.make_node("Mul", ["said", "column"], ["weighed"]),
        helper.make_node("ReduceSum", ["weighed", "axis"], ["sum"], keepdims=0),
        helper.make_node("MatMul", ["sum", "shares"], ["logits"]),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", labels])
    graph = helper.make_graph(nodes, "cross-encoder", inputs, [output], [*weights, axis, last])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
