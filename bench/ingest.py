"""40,000 passages brought with vectors: `python -m bench.ingest [passages]`.

Time of `parley ingest` from the command line, of a search over them at full depth, and of a question over them beside
the same question over the samples. Counts and years: taste; the targets are goals.
"""

import sys
import tempfile
import time
from pathlib import Path

import grpc
from rich.console import Console

from bench.passages import write_passages
from bench.samples import ask, ingest, report, spread
from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc, retrieve_pb2

COUNT = 40_000
QUESTIONS = 60
QUESTION = "When did the rover photograph Mars?"


def seconds_of(suite: RunningSuite, *arguments: str) -> float:
    """Seconds that a command took."""
    start = time.perf_counter()
    suite.parley(*arguments)
    return time.perf_counter() - start


def ask_often(suite: RunningSuite, collection: str) -> list[float]:
    """Milliseconds of whole turns."""
    options = gateway_pb2.RequestOptions(collection=collection)
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        return [ask(stub, QUESTION, "", options).whole for _ in range(QUESTIONS)]


def search_often(suite: RunningSuite, collection: str) -> list[float]:
    """Milliseconds of searches, each for another year."""
    options = retrieve_pb2.RetrieveOptions(collection=collection)
    times = []
    with grpc.insecure_channel(suite.address) as channel:
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        for number in range(QUESTIONS):
            request = corpus_pb2.SearchRequest(query=f"{QUESTION} {1960 + number}", options=options)
            start = time.perf_counter()
            stub.Search(request, timeout=60)
            times.append((time.perf_counter() - start) * 1000)
    return times


def main() -> int:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        lines, vectors = write_passages(Path(folder), count)
        with running_suite(Path(folder) / "data") as suite:
            ingest(suite)
            seconds = seconds_of(suite, "ingest", str(lines), "--vectors", str(vectors), "--collection", "many")
            for collection in ("default", "many"):
                ask_often(suite, collection)
            few, many = ask_often(suite, "default"), ask_often(suite, "many")
            searches = search_often(suite, "many")
            memory = suite.resident_megabytes()
    rows = [
        (f"ingest of {count:,} passages with vectors", f"{seconds:.1f} s", "<= 60 s for 40,000"),
        ("a search over them", spread(searches), ""),
        ("a question over the samples", spread(few), ""),
        ("a question over the passages", spread(many), "p50 within twice the samples'"),
        ("resident memory of all processes", f"{sum(memory.values()):.0f} MB", ""),
    ]
    report(Console(), "Passages brought with vectors", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
