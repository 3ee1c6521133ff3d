"""What is said where a setting names a library that is not installed."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.retrieve.embedding.embedder import UnusableModel
from services.retrieve.embedding.opening import open_encoder
from services.retrieve.pictures.embedder import open_picture_encoder
from services.retrieve.reranking import open_scorer

OPENED: dict[str, Callable[[str, Path, int], object]] = {
    "sentence-transformers": open_encoder,
    "cross-encoder": open_scorer,
    "flag": open_scorer,
    "clip": open_picture_encoder,
}


@pytest.mark.parametrize("backend", list(OPENED))
def test_a_missing_library_is_asked_for(backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("sentence_transformers", "FlagEmbedding", "transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    open_model = OPENED[backend]
    with pytest.raises(UnusableModel, match=r"not installed: pip install 'parley\[neural\]'"):
        open_model(f"{backend}:some/model", tmp_path, 1)
