"""A CLIP model by transformers, of the `neural` extra, such as laion/CLIP-ViT-H-14-laion2B-s32B-b79K."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.pictures.picture_encoder import Floats, unit
from services.retrieve.pictures.pixels import opened


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
