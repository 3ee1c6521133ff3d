"""Speed of retrieval over made-up passages: `python -m bench.retrieval [--passages 100000] [--data FOLDER]`.

Each engine alone within this process, recall of the graphs against exact search, grouping; then the retrieve stage as
a process of its own, asked over gRPC at full depth (1,000 + 500 candidates) by one caller and by sixteen. No question
is asked twice, so each is embedded. A folder that is kept is filled once.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import grpc
import numpy as np
import psutil
from numpy.typing import NDArray
from rich.console import Console

from bench.samples import report, spread
from bench.stage import RunningStage, running_stage
from bench.synthetic import World, make_questions
from bench.synthetic_corpus import OpenEngines, fill, open_engines, world_of
from libs.language.analysis import terms_of
from libs.language.known import ENGLISH
from parley.context.v1 import query_pb2
from parley.retrieve.v1 import retrieve_pb2, retrieve_pb2_grpc
from services.retrieve.corpus.filtering import Access
from services.retrieve.search.grouping import group_near_duplicates

LEXICAL_DEPTH, VECTOR_DEPTH, CANDIDATES = 1000, 500, 1500
NEAR_DUPLICATE = 0.95
QUESTIONS, CALLERS, ASKED_SIDE_BY_SIDE = 200, 16, 400
Floats = NDArray[np.float32]
T = TypeVar("T")
Row = tuple[str, str, str]


def time_each(work: Callable[[T], object], over: Iterable[T]) -> list[float]:
    """Milliseconds of each."""
    times = []
    for each in over:
        start = time.perf_counter()
        work(each)
        times.append((time.perf_counter() - start) * 1000)
    return times


def engine_rows(there: OpenEngines, world: World) -> list[Row]:
    """Both engines alone, at full depth, and grouping."""
    questions = make_questions(world, QUESTIONS, seed=1)
    vectors = there.embed(questions)
    stems = [dict.fromkeys(terms_of(question, ENGLISH), 1.0) for question in questions]
    lexical = time_each(lambda query: there.lexical.search(query, LEXICAL_DEPTH, Access()), stems)
    vector = time_each(lambda query: there.vector.search(query, VECTOR_DEPTH, Access()), vectors)
    keys = [there.vector.search(q, CANDIDATES, Access()).keys for q in vectors[:20]]
    candidates = [there.vector.vectors(vectors_of_query) for vectors_of_query in keys]
    grouping = time_each(lambda vectors_of_query: group_near_duplicates(vectors_of_query, NEAR_DUPLICATE), candidates)
    return [
        (f"lexical search, {LEXICAL_DEPTH} deep", spread(lexical), "p95 <= 10 ms"),
        (f"vector search, {VECTOR_DEPTH} deep", spread(vector), "p95 <= 20 ms"),
        (f"recall of the {VECTOR_DEPTH} nearest", f"{recall(there, vectors):.3f}", ">= .95"),
        (f"grouping {CANDIDATES} candidates", spread(grouping), "<= 25 ms"),
    ]


def recall(there: OpenEngines, vectors: Floats) -> float:
    """Share of the truly nearest that the vector engine finds."""
    shares = []
    for vector in vectors:
        nearest = there.nearest(vector, VECTOR_DEPTH)
        shares.append(np.isin(nearest, there.vector.search(vector, VECTOR_DEPTH, Access()).keys).mean())
    return float(np.mean(shares))


def request(question: str) -> retrieve_pb2.RetrieveRequest:
    """Everything as the stage is set."""
    return retrieve_pb2.RetrieveRequest(query=query_pb2.WeightedQuery(text=question))


def check(steps: Sequence[retrieve_pb2.RetrieveResponse]) -> None:
    """What was measured is a whole retrieval.

    Raises:
        RuntimeError: an engine took no part, or nothing was found.
    """
    evidence = steps[-1].result.evidence
    if any(step.HasField("degraded") for step in steps) or not evidence or not evidence[0].scores.HasField("vector"):
        raise RuntimeError("a retrieval was not whole")


def one_caller(stage: RunningStage, questions: Sequence[str]) -> list[float]:
    """Milliseconds of each retrieval, one after the other."""
    with grpc.insecure_channel(stage.address) as channel:
        stub = retrieve_pb2_grpc.RetrieveServiceStub(channel)
        return time_each(lambda question: check(list(stub.Retrieve(request(question), timeout=60))), questions)


async def side_by_side(stage: RunningStage, questions: Sequence[str]) -> float:
    """Seconds until sixteen callers got all their answers."""
    remaining = iter(questions)

    async def call() -> None:
        async with grpc.aio.insecure_channel(stage.address) as channel:
            stub = retrieve_pb2_grpc.RetrieveServiceStub(channel)
            for question in remaining:
                check([step async for step in stub.Retrieve(request(question), timeout=60)])

    start = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(CALLERS)))
    return time.perf_counter() - start


def stage_rows(stage: RunningStage, world: World) -> list[Row]:
    """The stage over gRPC, with the processor's time that it took."""
    process = psutil.Process(stage.pid)
    one_caller(stage, make_questions(world, 20, seed=2))
    start = sum(process.cpu_times()[:2])
    alone = one_caller(stage, make_questions(world, QUESTIONS, seed=3))
    middle = sum(process.cpu_times()[:2])
    seconds = asyncio.run(side_by_side(stage, make_questions(world, ASKED_SIDE_BY_SIDE, seed=4)))
    end = sum(process.cpu_times()[:2])
    return [
        ("retrieval over gRPC, one caller", spread(alone), "p95 <= 40 ms"),
        ("  processor time of the stage", f"{(middle - start) / QUESTIONS * 1000:.1f} ms", ""),
        (f"retrievals a second, {CALLERS} callers", f"{ASKED_SIDE_BY_SIDE / seconds:.1f}", ">= 50"),
        ("  processor time of the stage", f"{(end - middle) / ASKED_SIDE_BY_SIDE * 1000:.1f} ms", ""),
        ("resident memory of the stage", f"{process.memory_info().rss / 1e6:.0f} MB", ""),
    ]


def measure(data: Path, passages: int) -> list[Row]:
    """All figures over a folder, which is filled when it is empty."""
    world = world_of(data)
    seconds = fill(data, passages, world)
    with open_engines(data) as there:
        rows = [
            ("filling, indexing and building graphs", f"{seconds:.1f} s" if seconds else "was there", ""),
            *engine_rows(there, world),
        ]
    with running_stage("retrieve", data) as stage:
        return rows + stage_rows(stage, world)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed of retrieval over made-up passages.")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--data", type=Path, help="a folder that is kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        rows = measure(arguments.data or Path(folder) / "data", arguments.passages)
    report(Console(), f"Retrieval over {arguments.passages:,} passages", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
