"""Picture models, in ONNX Runtime or transformers, and one that coroutines share: it runs in threads of its own."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from libs.runtime.errors import InvalidInput
from services.retrieve.embedding.batches import MAX_CHARACTERS, Batches
from services.retrieve.embedding.embedder import UnusableModel, read_max_tokens, unit
from services.retrieve.embedding.neural import model_errors, short_name
from services.retrieve.embedding.onnx_model import open_session, open_tokenizer, run_graph, token_arrays
from services.retrieve.embedding.opening import NONE, backend_of, folder_of
from services.retrieve.pictures.pixels import Floats, UnusablePicture, opened, read_recipe


class PictureEncoder(Protocol):
    """A model: blocking. Pictures are encoded by one thread, texts by another one."""

    name: str

    def prepared(self, picture: bytes) -> Floats:
        """An encoded picture as the model's pixels, shape (3, height, width). May be called from any thread.

        Raises:
            UnusablePicture: it cannot be decoded.
        """

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """One unit vector per picture, shape (pictures, width)."""

    def texts(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text, shape (texts, width)."""


_PICTURES_AT_ONCE = 4  # of a batch (taste)
DEFAULT_CAPACITY = 4096
"""Pictures whose vectors are cached in memory; of 512 values they take 8 MB (taste)."""


class PictureEmbedder:
    """Shares a model among coroutines. Close it when no caller is left."""

    def __init__(self, encoder: PictureEncoder, capacity: int = DEFAULT_CAPACITY) -> None:
        """Take ownership of the model: nothing else may run it. `capacity` is the number of cached vectors."""
        self.name = encoder.name
        self._capacity = capacity
        self._cache: OrderedDict[bytes, Floats] = OrderedDict()
        self._encoder = encoder
        self._pictures: Batches[Floats, Floats] = Batches("picture model", lambda some: list(encoder.pictures(some)))
        self._texts: Batches[str, Floats] = Batches(
            "model of texts about pictures", lambda some: list(encoder.texts(some))
        )

    async def pictures(self, pictures: Sequence[bytes]) -> list[Floats]:
        """One unit vector per picture, in order.

        Raises:
            InvalidInput: one of them cannot be decoded; names its position.
            Unavailable: the model failed.
        """
        keys = await asyncio.to_thread(lambda: [hashlib.blake2b(picture).digest() for picture in pictures])
        vectors = {key: self._cache[key] for key in keys if key in self._cache}
        first = {key: at for at, key in reversed(list(enumerate(keys))) if key not in vectors}
        pixel_arrays = [await self._prepared(at, pictures[at]) for at in first.values()]
        size = MAX_CHARACTERS // _PICTURES_AT_ONCE  # so that a batch has at most so many
        new_vectors = await self._pictures.results([(pixels, size) for pixels in pixel_arrays])
        vectors.update(zip(first, new_vectors, strict=True))
        self._keep(vectors)
        return [vectors[key] for key in keys]

    async def readable(self, pictures: Sequence[bytes]) -> list[Floats | None]:
        """One unit vector per picture, in order; None for those that cannot be decoded. Raises Unavailable."""
        return await asyncio.gather(*(self._if_readable(picture) for picture in pictures))

    async def texts(self, texts: Sequence[str]) -> list[Floats]:
        """One unit vector per text, in order; raises Unavailable if the model failed."""
        return await self._texts.results([(text, len(text)) for text in texts])

    def close(self) -> None:
        """Finish what is queued, then stop."""
        self._pictures.close()
        self._texts.close()

    def _keep(self, vectors: Mapping[bytes, Floats]) -> None:
        for key, vector in vectors.items():
            self._cache[key] = vector
            self._cache.move_to_end(key)
        while len(self._cache) > self._capacity:
            self._cache.popitem(last=False)

    async def _if_readable(self, picture: bytes) -> Floats | None:
        try:
            return (await self.pictures([picture]))[0] if picture else None
        except InvalidInput:
            return None

    async def _prepared(self, at: int, picture: bytes) -> Floats:
        try:
            return await asyncio.to_thread(self._encoder.prepared, picture)
        except UnusablePicture as error:
            raise InvalidInput(f"images[{at}]", str(error)) from error


def open_picture_encoder(model: str, models: Path, threads: int) -> PictureEncoder | None:
    """The model that the setting `pictures` names, None for `none`; raises UnusableModel. Blocking."""
    if model == NONE:
        return None
    import_module("PIL")  # fails now rather than at the first picture if the extra is missing
    backend, name = backend_of(model)
    return TransformersClip(name) if backend == "clip" else OnnxClip(folder_of(name, models), threads)


class OnnxClip:
    """Encodes pictures and texts as unit vectors; see `PictureEncoder`."""

    def __init__(self, folder: Path, threads: int) -> None:
        """Load a model; raises UnusableModel if a file is missing or a graph has another shape."""
        self.name = folder.name
        self._recipe = read_recipe(folder)
        self._tokenizer = open_tokenizer(folder / "tokenizer.json", read_max_tokens(folder))
        graphs = folder / "onnx" if (folder / "onnx").is_dir() else folder
        if (graphs / "vision_model.onnx").is_file():
            self._vision = open_session(graphs / "vision_model.onnx", threads)
            self._text = open_session(graphs / "text_model.onnx", threads)
        else:
            self._vision = self._text = open_session(graphs / "model.onnx", threads)
        for session, output in ((self._vision, "image_embeds"), (self._text, "text_embeds")):
            if output not in {node.name for node in session.get_outputs()}:
                raise UnusableModel(f"the graph does not give {output}")

    def prepared(self, picture: bytes) -> Floats:
        """See `PictureEncoder`."""
        return self._recipe.pixels(picture)

    def pictures(self, pixels: Sequence[Floats]) -> Floats:
        """See `PictureEncoder`."""
        # For a graph of both parts: any text of a few tokens does.
        empty_text = {"input_ids": np.zeros((1, 2), np.int64), "attention_mask": np.ones((1, 2), np.int64)}
        return unit(run_graph(self._vision, {"pixel_values": np.stack(pixels), **empty_text}, "image_embeds"))

    def texts(self, texts: Sequence[str]) -> Floats:
        """See `PictureEncoder`."""
        empty_picture = np.zeros((1, 3, self._recipe.crop, self._recipe.crop), np.float32)
        inputs: dict[str, NDArray[Any]] = {**token_arrays(self._tokenizer, texts), "pixel_values": empty_picture}
        return unit(run_graph(self._text, inputs, "text_embeds"))


class TransformersClip:
    """Encodes pictures and texts as unit vectors; see `PictureEncoder`."""

    def __init__(self, model: str) -> None:
        """Load a name of the Hugging Face hub or a folder; raises UnusableModel."""
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
