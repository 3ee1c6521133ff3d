"""Opens the configured picture model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from services.retrieve.embedding.embedder import UnusableModel, read_max_tokens
from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.embedding.onnx_model import open_session, open_tokenizer
from services.retrieve.embedding.opening import NONE, backend_of, folder_of
from services.retrieve.pictures.embedder import Floats, PictureEncoder, unit
from services.retrieve.pictures.pixels import opened, read_recipe


def open_picture_encoder(model: str, models: Path, threads: int) -> PictureEncoder | None:
    """The model that a setting names; None for `none`. Blocking.

    Args:
        model: `none`; `onnx:` and the name of a folder in `models` or a path, which may also stand alone; `clip:` and a
            name of the Hugging Face hub or a path.
        models: folder of fetched models.
        threads: cores that one run may use.

    Raises:
        UnusableModel: it cannot be used.
    """
    if model == NONE:
        return None
    backend, name = backend_of(model)
    return TransformersClip(name) if backend == "clip" else OnnxClip(folder_of(name, models), threads)


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


class TransformersClip:
    """Encodes pictures and texts as unit vectors; see `PictureEncoder`."""

    def __init__(self, model: str) -> None:
        """Load a name of the Hugging Face hub or a folder.

        Raises:
            UnusableModel: the extra is not installed, or the model cannot be loaded.
        """
        self.name = short_name(model)
        with model_errors("transformers", model):
            import torch
            from transformers import AutoTokenizer, CLIPImageProcessor, CLIPModel

            self._torch: Any = torch
            self._model: Any = CLIPModel.from_pretrained(model).eval()
            self._processor: Any = CLIPImageProcessor.from_pretrained(model)
            self._tokenizer: Any = AutoTokenizer.from_pretrained(model)

    def prepared(self, picture: bytes) -> Floats:
        """See `PictureEncoder`."""
        return np.asarray(self._processor(opened(picture), return_tensors="np")["pixel_values"][0], np.float32)

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """See `PictureEncoder`."""
        with self._torch.inference_mode():
            output = self._model.vision_model(pixel_values=self._torch.from_numpy(np.stack(pixels)))
            return unit(self._model.visual_projection(output.pooler_output).numpy())

    def texts(self, texts: Sequence[str]) -> Floats:
        """See `PictureEncoder`."""
        inputs = self._tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
        with self._torch.inference_mode():
            output = self._model.text_model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
            return unit(self._model.text_projection(output.pooler_output).numpy())
