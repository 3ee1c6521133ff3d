"""A CLIP model in ONNX Runtime, in the format of Hugging Face's exporters.

Either two graphs, `vision_model.onnx` (pixel_values to image_embeds) and `text_model.onnx` (input_ids to text_embeds),
or one, `model.onnx`, which combines both; in the folder or in its folder `onnx`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from services.retrieve.embedding.onnx_model import open_session, open_tokenizer
from services.retrieve.embedding.profile import UnusableModel, read_max_tokens
from services.retrieve.pictures.picture_encoder import Floats, unit
from services.retrieve.pictures.pixels import read_recipe


class OnnxClip:
    """Encodes pictures and texts as unit vectors; see `PictureEncoder`."""

    def __init__(self, folder: Path, threads: int) -> None:
        """Load a model.

        Raises:
            UnusableModel: a file is missing or a graph has another shape.
        """
        self.name = folder.name
        self._recipe = read_recipe(folder)
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", read_max_tokens(folder))
        graphs = folder / "onnx" if (folder / "onnx").is_dir() else folder
        if (graphs / "vision_model.onnx").is_file():
            self._vision = open_session(graphs / "vision_model.onnx", threads)
            self._text = open_session(graphs / "text_model.onnx", threads)
        else:
            self._vision = self._text = open_session(graphs / "model.onnx", threads)
        _require(self._vision, "image_embeds")
        _require(self._text, "text_embeds")

    def prepared(self, picture: bytes) -> Floats:
        """See `PictureEncoder`."""
        return self._recipe.pixels(picture)

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """See `PictureEncoder`."""
        empty_text = {"input_ids": np.zeros((1, 2), np.int64), "attention_mask": np.ones((1, 2), np.int64)}
        return _run(self._vision, "image_embeds", {"pixel_values": np.stack(pixels), **empty_text})

    def texts(self, texts: Sequence[str]) -> Floats:
        """See `PictureEncoder`."""
        encodings = self._tokenizer.encode_batch(list(texts))
        empty_picture = np.zeros((1, 3, self._recipe.crop, self._recipe.crop), np.float32)
        inputs = {
            "input_ids": np.array([encoding.ids for encoding in encodings], np.int64),
            "attention_mask": np.array([encoding.attention_mask for encoding in encodings], np.int64),
        }
        return _run(self._text, "text_embeds", {**inputs, "pixel_values": empty_picture})


def _require(session: Any, output: str) -> None:
    if output not in {node.name for node in session.get_outputs()}:
        raise UnusableModel(f"the graph does not give {output}")


def _run(session: Any, output: str, inputs: dict[str, Any]) -> Floats:
    """Run a graph with the inputs that it has; a combined graph also gets an empty picture or an empty text."""
    input_names = {node.name for node in session.get_inputs()}
    return unit(session.run([output], {name: value for name, value in inputs.items() if name in input_names})[0])
