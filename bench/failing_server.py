"""What a failing Elasticsearch costs and loses: `python -m bench.failing_server [KILLS]`.

First the server answers each request only after 5 s, for half a minute: what queries take meanwhile with the default
settings, and when it takes part again. Then it is killed (-9) while documents are written and searched, KILLS times
(2): how many acknowledged documents are missing, or there in spite of their deletion.
"""

import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import numpy as np

from libs.contracts.options import RetrieveOptions
from libs.contracts.query import WeightedQuery
from libs.runtime.errors import Unavailable
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.corpus.reading import passage_ids_of_keys
from services.retrieve.embedding.batching import BatchingEmbedder
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.opening import EngineMakers, elasticsearch_engines
from services.retrieve.engines.settings import SearchElasticsearchSettings
from services.retrieve.indexing import index_sync
from services.retrieve.search.ranking import RankingSettings
from services.retrieve.search.recall import search
from services.retrieve.search.retriever import Retriever
from tests.fakes.stored_documents import ENCODER, put
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.elasticsearch.proxy import Proxy, proxy_to

SLOW_SECONDS, HELD_SECONDS, DOCUMENTS, KEPT = 5.0, 30.0, 200, 100


def main(kills: int) -> None:
    """Measure and print."""
    with closing(ElasticsearchProcess()) as process, tempfile.TemporaryDirectory() as folder:
        process.start()
        with (
            proxy_to(process.port) as proxy,
            Corpus.open(Path(folder)) as corpus,
            elasticsearch_engines(SearchElasticsearchSettings(url=proxy.url)) as server,
        ):
            makers = EngineMakers(server.open, lexical_patience=3.0)
            for number in range(DOCUMENTS):
                put(corpus, _document(number))
            with closing(Engines(corpus, Path(folder) / "engines", makers)) as engines:
                asyncio.run(_slow(corpus, engines, proxy))
            with closing(Engines(corpus, Path(folder) / "engines", makers)) as engines:
                _write_while_killing(corpus, engines, process, kills)


async def _slow(corpus: Corpus, engines: Engines, proxy: Proxy) -> None:
    with closing(BatchingEmbedder(ENCODER)) as embedder:
        retriever = Retriever(corpus, engines, embedder, RankingSettings())
        async with index_sync.in_sync(engines, 0.5):
            await _until_all_take_part(retriever)
            _tell("quick", [await _ask(retriever) for _ in range(50)])
            proxy.delay = SLOW_SECONDS
            end, answers = time.monotonic() + HELD_SECONDS, []
            while time.monotonic() < end:
                answers.append(await _ask(retriever))
                await asyncio.sleep(0.1)
            _tell("slow", answers)
            proxy.delay = 0.0
            back = time.monotonic()
            await _until_all_take_part(retriever)
            sys.stdout.write(f"took part again after {time.monotonic() - back:.1f} s\n")


async def _until_all_take_part(retriever: Retriever) -> None:
    while (await _ask(retriever))[1]:  # noqa: ASYNC110 - there is no event: a server recovers when it does
        await asyncio.sleep(0.1)


async def _ask(retriever: Retriever) -> tuple[float, bool]:
    """Milliseconds, and whether an engine was left out."""
    start = time.perf_counter()
    _, degraded = await search(retriever, WeightedQuery("moon probe 7"), RetrieveOptions())
    return 1000 * (time.perf_counter() - start), bool(degraded)


def _tell(name: str, answers: Sequence[tuple[float, bool]]) -> None:
    times = [milliseconds for milliseconds, _ in answers]
    p50, p95 = np.percentile(times, [50, 95])
    share = sum(left_out for _, left_out in answers)
    line = f"{name}: {len(times)} queries, p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {max(times):.0f} ms"
    sys.stdout.write(f"{line}, {share} of them said degraded\n")


def _write_while_killing(corpus: Corpus, engines: Engines, process: ElasticsearchProcess, kills: int) -> None:
    count = DOCUMENTS
    for number in range(kills):
        killing = threading.Timer(1.0 + number / 2, process.kill)
        killing.start()
        while killing.is_alive():
            put(corpus, _document(count))
            corpus.delete("default", f"d{count - KEPT}").result()
            count += 1
            with suppress(Unavailable):
                engines.of("default").lexical()
        process.start()
        sys.stdout.write(f"after kill {number + 1}: {_compare(corpus, engines)}\n")


def _compare(corpus: Corpus, engines: Engines) -> str:
    start = time.monotonic()
    while True:
        with suppress(Unavailable):
            engines.catch_up()
            keys = engines.of("default").lexical().search({"moon": 1.0}, 10_000, Access()).keys.tolist()
            break
        time.sleep(0.1)
    indexed_ids = set(corpus.read(lambda connection: passage_ids_of_keys(connection, keys)).values())
    rows = corpus.read(lambda connection: connection.execute("SELECT document_id FROM documents").fetchall())
    stored_ids = {name for (name,) in rows}
    ghosts = len(keys) - len(indexed_ids & stored_ids)
    took = time.monotonic() - start
    missing = len(stored_ids - indexed_ids)
    return f"{len(stored_ids)} acknowledged, {missing} missing, {ghosts} too many; caught up in {took:.1f} s"


def _document(number: int) -> Document:
    return Document(f"d{number}", f"moon probe {number}", whole=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2)
