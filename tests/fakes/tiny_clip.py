"""A CLIP in ONNX of almost no weights: a picture is its mean colour, a text the sum of its words' colours."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.fakes.tiny_bert import WORDS, write_tokenizer

COLOURS = {"mars": (1.0, 0.0, 0.0), "moon": (1.0, 1.0, 1.0), "probe": (0.0, 0.0, 1.0)}
"""Of words; all others are black."""
EDGE = 8


def write_clip(folder: Path, one_graph: bool = False) -> None:
    """vision_model.onnx and text_model.onnx, or model.onnx; tokenizer.json, preprocessor_config.json."""
    import onnx
    from onnx import helper

    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    recipe = '{"size": {"shortest_edge": 8}, "crop_size": 8, "image_mean": [0, 0, 0], "image_std": [1, 1, 1]}'
    (folder / "preprocessor_config.json").write_text(recipe)
    vision, text = _vision(), _text()
    graphs = {"model": _joined(vision, text)} if one_graph else {"vision_model": vision, "text_model": text}
    for name, (nodes, inputs, outputs, weights) in graphs.items():
        graph = helper.make_graph(nodes, name, inputs, outputs, weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.save(model, str(folder / f"{name}.onnx"))


def png(red: int, green: int, blue: int, size: tuple[int, int] = (12, 9)) -> bytes:
    """A picture of one colour."""
    import io

    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", size, (red, green, blue)).save(out, "PNG")
    return out.getvalue()


def colour_of(text: str) -> NDArray[np.float32]:
    """A text's unit vector."""
    total = np.sum([COLOURS.get(word, (0.0, 0.0, 0.0)) for word in text.split()], axis=0)
    unit: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
    return unit


Parts = tuple[list[Any], list[Any], list[Any], list[Any]]


def _vision() -> Parts:
    from onnx import TensorProto, helper, numpy_helper

    axes = numpy_helper.from_array(np.array([2, 3], np.int64), "edges")
    nodes = [helper.make_node("ReduceMean", ["pixel_values", "edges"], ["image_embeds"], keepdims=0)]
    inputs = [helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["images", 3, EDGE, EDGE])]
    outputs = [helper.make_tensor_value_info("image_embeds", TensorProto.FLOAT, ["images", 3])]
    return nodes, inputs, outputs, [axes]


def _text() -> Parts:
    from onnx import TensorProto, helper, numpy_helper

    table = np.array([COLOURS.get(word, (0.0, 0.0, 0.0)) for word in WORDS], np.float32)
    weights = [
        numpy_helper.from_array(table, "colours"),
        numpy_helper.from_array(np.array([1], np.int64), "tokens"),
        numpy_helper.from_array(np.array([-1], np.int64), "last"),
    ]
    nodes = [
        helper.make_node("Gather", ["colours", "input_ids"], ["seen"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["seen", "column"], ["read"]),
        helper.make_node("ReduceSum", ["read", "tokens"], ["text_embeds"], keepdims=0),
    ]
    names = ("input_ids", "attention_mask")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "words"]) for name in names]
    outputs = [helper.make_tensor_value_info("text_embeds", TensorProto.FLOAT, ["texts", 3])]
    return nodes, inputs, outputs, weights


def _joined(one: Parts, other: Parts) -> Parts:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])
