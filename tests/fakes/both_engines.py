"""What a corpus and its two engines hold, told by themselves after a restart."""

from pathlib import Path

import numpy as np

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines


def documents_in_both_engines(folder: Path, word: str, collection: str = "default") -> set[str]:
    """The documents whose passages are in both engines; fails when one engine has a passage that the other lacks.

    Args:
        folder: a data directory that no process has open.
        word: occurs in every passage, as a stem.
        collection: which one to look at.
    """
    with Corpus.open(folder) as corpus:
        engines = Engines(corpus, folder / "engines")
        row, stored_collection = corpus.collection(collection)
        collection_engines = engines.of(collection)
        lexical, vector = collection_engines.lexical(), collection_engines.vector()
        assert vector is not None
        rows = corpus.read(lambda c: c.execute(_PASSAGES, (row,)).fetchall())
        anything = np.full(stored_collection.vector_width, stored_collection.vector_width**-0.5, np.float32)
        by_words = lexical.search({word: 1.0}, len(rows) + 10, Access()).keys
        by_vector = vector.search(anything, len(rows) + 10, Access()).keys
        engines.close()
    assert sorted(by_words.tolist()) == sorted(by_vector.tolist()) == sorted(key for key, _ in rows)
    return {document for _, document in rows}


_PASSAGES = "SELECT p.id, d.document_id FROM passages p JOIN documents d ON d.id = p.document WHERE d.collection = ?"
