"""40,000 passages brought with vectors: `python -m bench.ingest [passages]`.

Time of `parley ingest` from the command line, and of a question over them beside the same question over the samples.
`python -m bench.ingest --profile [documents]` tells where the time of an ingest goes, step by step.
"""

import sys
import tempfile
import time
from pathlib import Path

import grpc
from rich.console import Console

from bench.ingest_profile import profile
from bench.passages import write_passages
from bench.samples import ask, ingest, report, spread
from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

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


def main() -> int:
    """Measure and print."""
    count = int(next((argument for argument in sys.argv[1:] if argument.isdecimal()), COUNT))
    if "--profile" in sys.argv[1:]:
        profile(Console(), count)
        return 0
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        lines, vectors = write_passages(Path(folder), count)
        with running_suite(Path(folder) / "data") as suite:
            ingest(suite)
            seconds = seconds_of(suite, "ingest", str(lines), "--vectors", str(vectors), "--collection", "many")
            for collection in ("default", "many"):
                ask_often(suite, collection)
            few, many = ask_often(suite, "default"), ask_often(suite, "many")
            memory = suite.resident_megabytes()
    rows = [
        (f"ingest of {count:,} passages with vectors", f"{seconds:.1f} s", "<= 60 s for 40,000"),
        ("a question over the samples", spread(few), ""),
        ("a question over the passages", spread(many), "p50 within twice the samples'"),
        ("resident memory of all processes", f"{sum(memory.values()):.0f} MB", ""),
    ]
    report(Console(), "Passages brought with vectors", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
