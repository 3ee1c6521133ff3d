"""A corpus with the engines under test, as a test speaks of them: passages by their ids, queries by their words."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libs.language.known import ENGLISH
from libs.runtime.errors import InvalidInput
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.deleting import delete_collection, delete_document
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.corpus.writing import put_documents
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.opening import EngineMakers
from services.retrieve.engines.protocols import Hits
from services.retrieve.search.engine_queries import query_terms
from tests.fakes.stored_documents import ENCODER, PREPARATION, embedded, put

ANYBODY = Access()
ALL = 100
"""More hits than any test has passages, unless it says so."""


def whole(name: str, text: str, **more: object) -> Document:
    """A document of one passage that has its id, in English where nothing else is said."""
    return replace(Document(name, text, whole=True, language=ENGLISH), **more)  # type: ignore[arg-type]


@dataclass
class World:
    """A corpus in a folder and the engines over it."""

    folder: Path
    corpus: Corpus
    makers: EngineMakers
    engines: Engines = field(init=False)

    def __post_init__(self) -> None:
        self.engines = self._opened()

    def put(self, *documents: Document, collection: str = "default") -> None:
        """Write documents; returns when they are committed."""
        for document in documents:
            put(self.corpus, document, collection)

    def put_at_once(self, documents: Sequence[Document]) -> None:
        """Write many documents in one commit."""
        prepared_document = [PREPARATION.prepare(document) for document in documents]
        outcomes = self.corpus.write(put_documents, "default", embedded(prepared_document)).result()
        assert not [outcome for outcome in outcomes if isinstance(outcome, InvalidInput)]

    def delete(self, document_id: str, collection: str = "default") -> None:
        """Delete a document; returns when that is committed."""
        assert self.corpus.write(delete_document, collection, document_id).result()

    def delete_collection(self, collection: str) -> None:
        """Delete a collection; returns when that is committed."""
        assert self.corpus.write(delete_collection, collection).result()

    def restart(self, between: Callable[[], None] = lambda: None) -> None:
        """Close the engines and open them again, as a new process would; `between` happens while they are closed."""
        self.engines.close()
        between()
        self.engines = self._opened()

    def forget(self) -> None:
        """Let the engines, while closed, lose all that they keep."""
        for path in sorted((self.folder / "engines").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        for sweep in self.makers.sweeps:
            sweep(self.corpus.identity, set())

    def ids(self, hits: Hits) -> list[str]:
        """The passages that were found, in order; one that the corpus does not know is an error."""
        keys = hits.keys.tolist()
        ids_by_key = self.corpus.read(lambda connection: passage_ids_of_keys(connection, keys))
        return [ids_by_key[key] for key in keys]

    def keys(self, *passages: str) -> NDArray[np.int64]:
        """The keys of passages."""
        keys_by_id = dict(self.corpus.read(lambda c: c.execute("SELECT passage_id, id FROM passages").fetchall()))
        return np.array([keys_by_id[passage] for passage in passages], np.int64)

    def _opened(self) -> Engines:
        return Engines(self.corpus, self.folder / "engines", self.makers)


@dataclass
class EngineUnderTest:
    """One engine over a world, whichever it is."""

    world: World
    side: str
    """`lexical` or `vector`."""

    def hits(self, words: str, access: Access = ANYBODY, limit: int = ALL, collection: str = "default") -> Hits:
        """What it finds for words, with scores."""
        engines = self.world.engines.of(collection)
        if self.side == "lexical":
            return engines.lexical().search(self.terms(words, collection), limit, access)
        vector = engines.vector()
        if vector is None:
            return Hits(np.zeros(0, np.int64), np.zeros(0))
        return vector.search(ENCODER.encode([words])[0], limit, access)

    def find(self, words: str, access: Access = ANYBODY, limit: int = ALL, collection: str = "default") -> list[str]:
        """The passages that it finds for words, the best first."""
        return self.world.ids(self.hits(words, access, limit, collection))

    def scores(self, words: str, *passages: str, access: Access = ANYBODY) -> list[float]:
        """The exact scores of passages."""
        engines, keys = self.world.engines.of("default"), self.world.keys(*passages)
        if self.side == "lexical":
            return list(engines.lexical().scores(self.terms(words), keys, access))
        vector = engines.vector()
        assert vector is not None
        return list(vector.scores(ENCODER.encode([words])[0], keys, access))

    def terms(self, words: str, collection: str = "default") -> dict[str, float]:
        """What a full-text engine searches by, read in the collection's languages."""
        languages = tuple(self.world.corpus.language_counts(collection, Caller((), is_admin=True)))
        return dict(query_terms(languages)(words))

    def follow_again(self) -> None:
        """Let it take in all changes from the first on, once more."""
        corpus, engines = self.world.corpus, self.world.engines.of("default")
        home = CollectionView(corpus, corpus.collection("default")[0], self.world.folder)
        if self.side == "lexical":
            lexical, texts = engines.lexical(), home.text_changes(0, 10_000)
            assert texts is not None
            lexical.follow(texts)
            lexical.commit()
        else:
            vector, vectors = engines.vector(), home.vector_changes(0, 10_000)
            assert vector is not None
            assert vectors is not None
            vector.follow(vectors)
            vector.commit()


@contextmanager
def world(folder: Path, makers: EngineMakers) -> Iterator[World]:
    """An empty corpus with engines; what they keep on servers is deleted at the end."""
    with Corpus.open(folder) as corpus:
        new_world = World(folder, corpus, makers)
        try:
            yield new_world
        finally:
            new_world.engines.close()
            for sweep in makers.sweeps:
                sweep(corpus.identity, set())
