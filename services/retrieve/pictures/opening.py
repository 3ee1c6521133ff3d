"""Opens the configured picture model."""

from pathlib import Path

from libs.runtime.extras import require_extra
from services.retrieve.embedding.opening import NONE, backend_of, folder_of
from services.retrieve.pictures.neural_clip import TransformersClip
from services.retrieve.pictures.onnx_clip import OnnxClip
from services.retrieve.pictures.picture_encoder import PictureEncoder


def open_picture_encoder(model: str, models: Path, threads: int) -> PictureEncoder | None:
    """The model that a setting names; None for `none`. Blocking.

    Args:
        model: `none`; `onnx:` and the name of a folder in `models` or a path, which may also stand alone; `clip:` and a
            name of the Hugging Face hub or a path.
        models: folder of fetched models.
        threads: cores that one run may use.

    Raises:
        UnusableModel: it cannot be used.
        MissingExtraError: the library that decodes pictures is not installed.
    """
    if model == NONE:
        return None
    require_extra("documents")
    backend, name = backend_of(model)
    return TransformersClip(name) if backend == "clip" else OnnxClip(folder_of(name, models), threads)
