"""What is said where a setting names a library that is not installed."""

import sys
from pathlib import Path

import pytest

from services.retrieve.embedding.opening import open_encoder
from services.retrieve.embedding.profile import UnusableModel
from services.retrieve.reranking.opening import open_scorer

LIBRARIES = {"sentence-transformers": "sentence_transformers", "cross-encoder": "sentence_transformers"}


@pytest.mark.parametrize("backend", ["sentence-transformers", "cross-encoder", "flag"])
def test_a_library_that_is_not_installed_is_asked_for(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, LIBRARIES.get(backend, "FlagEmbedding"), None)
    opened = open_encoder if backend == "sentence-transformers" else open_scorer
    with pytest.raises(UnusableModel, match=r"not installed: pip install 'parley\[neural\]'"):
        opened(f"{backend}:some/model", tmp_path, 1)
