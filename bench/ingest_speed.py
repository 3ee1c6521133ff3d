"""Processor time of an ingest whose vectors are given: `python -m bench.ingest_speed [--passages N] [--processes N]`.

Passages of made-up sentences, each a whole document with a random unit vector, go through command, gateway and retrieve
as `parley ingest --vectors` sends them. Told are passages a second, and the processor time of each passage by process:
until the last one is acknowledged, and then until the full text and the vectors are searchable. With `--mtrag FOLDER`
they are that benchmark's passages and vectors. Other work on the machine slows the first figure more than the others.

The same passages then go without vectors into another collection (`--wait text`): told are passages a second until the
last one is acknowledged and found by its words, while the suite begins to make their vectors.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import grpc
import numpy as np

from bench.peers.base import Base, prepare
from bench.suite import RunningSuite, running_suite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

PASSAGES: Final = 20_000
WORDS: Final = 170
"""Words of a passage, as in MTRAG."""
VOCABULARY: Final = 30_000
"""Different words in all passages (taste)."""
TEXT: Final = "text"
"""The collection whose passages come without vectors."""
WIDTH: Final = 384
"""Values of a vector of the packaged model."""
QUIET_SECONDS: Final = 1.2
"""The engines have followed when the suite computes less than a tenth of this time in it (taste)."""
LITTLE: Final = ("the", "of", "and", "to", "in", "is", "was", "that", "for", "with")


@dataclass(frozen=True, slots=True)
class Cost:
    """What an ingest took."""

    seconds: float
    """Until the last passage was acknowledged."""
    processor_seconds: dict[str, float]
    """By process; `command` includes its child that reads the file."""

    def lines(self, passages: int) -> list[str]:
        """One for the rate, one for each process that did anything, and their sum."""
        shares = {name: 1000 * each / passages for name, each in self.processor_seconds.items() if each >= 0.1}
        shares["together"] = sum(shares.values())
        return [
            f"{passages / self.seconds:8,.0f} passages/s",
            *(f"{share:8.3f} ms of CPU a passage: {name}" for name, share in shares.items()),
        ]


def write_passages(folder: Path, count: int) -> Base:
    """Write passages and their vectors, always the same."""
    chance, base = random.Random(7), Base(folder)
    folder.mkdir(parents=True)
    words = ["".join(chance.choices("aeiourstlnmdpk", k=chance.randint(4, 9))) for _ in range(VOCABULARY)]
    with base.passages.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = " ".join(chance.choice(words if place % 3 else LITTLE) for place in range(WORDS))
            file.write(json.dumps({"id": f"p{number}", "title": f"Passage {number}", "text": text}) + "\n")
    vectors = np.random.default_rng(7).normal(size=(count, WIDTH))
    np.save(base.vectors, (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16))
    return base


def measure(suite: RunningSuite, base: Base) -> Cost:
    """Ingest the passages into the default collection, and wait until the engines have followed."""
    before, own, start = _processor_seconds(suite), _children_seconds(), time.perf_counter()
    suite.parley("ingest", str(base.passages), "--whole", "--vectors", str(base.vectors))
    seconds, command = time.perf_counter() - start, _children_seconds() - own
    after = _when_quiet(suite)
    return Cost(seconds, {"command": command, **{name: after[name] - before[name] for name in after}})


def measure_text(suite: RunningSuite, base: Base) -> float:
    """Seconds until the passages, sent without vectors, are acknowledged and the last one is found by its words."""
    last = json.loads(base.passages.read_text(encoding="utf-8").splitlines()[-1])
    options = retrieve_pb2.RetrieveOptions(collection=TEXT)
    request = corpus_pb2.SearchRequest(query=" ".join(last["text"].split()[:10]), options=options)
    start = time.perf_counter()
    suite.parley("ingest", str(base.passages), "--whole", "--wait", "text", "--collection", TEXT)
    with grpc.insecure_channel(suite.address) as channel:
        found = corpus_pb2_grpc.CorpusServiceStub(channel).Search(request).evidence
    if not found or found[0].passage.document_id != last["id"]:
        raise SystemExit("the last passage is not found by its words")
    return time.perf_counter() - start


def _when_quiet(suite: RunningSuite) -> dict[str, float]:
    now = _processor_seconds(suite)
    while True:
        time.sleep(QUIET_SECONDS)
        last, now = now, _processor_seconds(suite)
        if sum(now.values()) - sum(last.values()) < QUIET_SECONDS / 10:
            return now


def _processor_seconds(suite: RunningSuite) -> dict[str, float]:
    return {name: sum(process.cpu_times()[:2]) for name, process in suite.processes().items()}


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Processor time of an ingest whose vectors are given.")
    parser.add_argument("--passages", type=int, default=PASSAGES)
    parser.add_argument("--processes", type=int, default=6, help="of the suite")
    parser.add_argument("--mtrag", type=Path, help="folder of the benchmark whose passages are taken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "passages"
        own = options.mtrag is None
        base = write_passages(folder, options.passages) if own else prepare(options.mtrag, folder, options.passages, [])
        with running_suite(Path(place) / "data", processes=options.processes) as suite:
            sys.stdout.write("\n".join(measure(suite, base).lines(options.passages)) + "\n")
            rate = options.passages / measure_text(suite, base)
            sys.stdout.write(f"{rate:8,.0f} passages/s without vectors, found by their words\n")


if __name__ == "__main__":
    main()
