"""An engine that is slow while documents come in: nothing acknowledged is lost, all of it is found later."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from libs.runtime.errors import Unavailable
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.feed import TextBatch
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.collection_view import CollectionView
from services.retrieve.engines.embedded.lexical import LexicalIndex
from services.retrieve.engines.opening import EngineMakers
from services.retrieve.indexing.ingesting import Ingester
from tests.fakes.word_encoder import WordEncoder

COUNT = 200


class Slow(LexicalIndex):
    """The full-text engine, which waits while it is slow."""

    def __init__(self, home: CollectionView, quick: Event) -> None:
        super().__init__(home.directory, home.identity)
        self._quick = quick

    def follow(self, batch: TextBatch) -> None:
        self._quick.wait(30)
        super().follow(batch)


@pytest.fixture
def quick() -> Event:
    return Event()


@pytest.fixture
def engines(corpus: Corpus, tmp_path: Path, quick: Event) -> Iterator[Engines]:
    makers = EngineMakers(lexical=lambda home: Slow(home, quick), lexical_patience=0.05)
    engines = Engines(corpus, tmp_path / "engines", makers)
    yield engines
    quick.set()
    engines.close()


async def ingest(ingester: Ingester) -> set[str]:
    """Take documents in; the ids that were acknowledged as added."""
    receipts = await asyncio.gather(
        *(ingester.put("default", Document(f"d{number}", f"The craft {number} landed.")) for number in range(COUNT))
    )
    return {receipt.document_id for receipt in receipts if receipt.status == "ADDED"}


def found(corpus: Corpus, engines: Engines) -> tuple[set[str], set[str]]:
    """What both engines find of it."""
    collection = engines.of("default")
    lexical, vector = collection.lexical(), collection.vector()
    assert vector is not None
    words = lexical.search({"craft": 1.0, "land": 1.0}, COUNT, Access())
    near = vector.search(WordEncoder().encode(["craft landed"])[0], COUNT, Access())
    names: dict[int, str] = corpus.read(
        lambda connection: dict(
            connection.execute(
                "SELECT p.id, d.document_id FROM passages p JOIN documents d ON d.id = p.document"
            ).fetchall()
        )
    )
    by_words, by_vector = ({names[key] for key in hits.keys.tolist()} for hits in (words, near))
    return by_words, by_vector


async def test_a_slow_engine_delays_nothing(corpus: Corpus, engines: Engines, ingester: Ingester, quick: Event) -> None:
    following = asyncio.create_task(asyncio.to_thread(engines.catch_up))
    acknowledged_ids = await ingest(ingester)
    assert len(acknowledged_ids) == COUNT
    with pytest.raises(Unavailable):
        engines.of("default").lexical()
    quick.set()
    await following
    engines.catch_up()
    assert found(corpus, engines) == (acknowledged_ids, acknowledged_ids)
