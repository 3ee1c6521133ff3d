"""Elasticsearch beside the embedded full-text engine: `python -m bench.elasticsearch PASSAGES.jsonl.gz TASKS.jsonl.gz`.

Takes in the first 5,000 passages on both, asks every question of the tasks at full depth, and prints how long
each took and how many of the best ten they share. The server is the one that `make integration` fetches.
"""

import gzip
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.documents import Document
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines
from services.retrieve.engines.opening import EngineMakers, elasticsearch_engines
from services.retrieve.engines.protocols import LexicalEngine
from services.retrieve.engines.settings import SearchElasticsearchSettings
from services.retrieve.indexing.preparing import Preparation
from tests.integration.elasticsearch.process import ElasticsearchProcess

PASSAGES, DEPTH, BATCH = 5000, 1000, 500
Rankings = list[list[int]]


def main(passages: Path, tasks: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, Corpus.open(Path(folder)) as corpus, _server() as makers:
        _fill(corpus, passages)
        questions = [str(line["rewrite"] or line["last_turn"]) for line in _lines(tasks)]
        rankings = {}
        for name, making in (("embedded", EngineMakers()), ("elasticsearch", makers)):
            with closing(Engines(corpus, Path(folder) / name, making)) as engines:
                rankings[name] = _measure(name, engines, questions)
        overlaps = [_overlap(mine[:10], theirs[:10]) for mine, theirs in zip(*rankings.values(), strict=True)]
        best = f"the best ten share {np.mean(overlaps):.3f}, at least {min(overlaps)}"
        sys.stdout.write(f"{len(questions)} questions: {best}\n")


def _overlap(mine: list[int], theirs: list[int]) -> float:
    """The share of passages that are in both lists; 1 where both are empty."""
    return len({*mine} & {*theirs}) / max(len(mine), len(theirs)) if mine or theirs else 1.0


@contextmanager
def _server() -> Iterator[EngineMakers]:
    process = ElasticsearchProcess()
    try:
        process.start()
        settings = SearchElasticsearchSettings(url=process.url, seconds=60)
        with elasticsearch_engines(settings) as engines:
            yield EngineMakers(lexical=engines.open)
    finally:
        process.close()


def _fill(corpus: Corpus, file: Path) -> None:
    preparation = Preparation(language="en")
    documents = [
        preparation.prepare(Document(line["id"], line["text"], title=line.get("title", ""), whole=True))
        for line in islice(_lines(file), PASSAGES)
    ]
    for first in range(0, len(documents), BATCH):
        corpus.put("default", documents[first : first + BATCH]).result()


def _measure(name: str, engines: Engines, questions: Sequence[str]) -> Rankings:
    start = time.perf_counter()
    engine = engines.of("default").lexical()
    took = time.perf_counter() - start
    sys.stdout.write(f"{name}: took in {PASSAGES:,} passages in {took:.1f} s\n")
    rankings, times = [], []
    for question in questions:
        keys, seconds = _search(engine, question)
        rankings.append(keys)
        times.append(1000 * seconds)
    p50, p95 = np.percentile(times, [50, 95])
    sys.stdout.write(f"{name}: a search {DEPTH} deep p50 {p50:.1f} ms, p95 {p95:.1f} ms\n")
    return rankings


def _search(engine: LexicalEngine, question: str) -> tuple[list[int], float]:
    start = time.perf_counter()
    hits = engine.search(dict.fromkeys(terms_of(question, ENGLISH), 1.0), DEPTH, Access())
    return hits.keys.tolist(), time.perf_counter() - start


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
