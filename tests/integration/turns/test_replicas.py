"""Three retrieve processes and two gateways over PostgreSQL, Elasticsearch and Milvus."""

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.client.evaluation.gateway import Gateway, Wish
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess
from tests.integration.postgres.process import PostgresProcess
from tests.system.door import SAMPLES, parley, parley_process
from tests.system.killable_gateways import KillableGateway, KillableProcess, all_running, killable_gateways
from tests.system.waiting import wait_for

REPLICAS = 3
CALLERS = 4
QUESTION = "When did Luna 9 land on the Moon?"
QUERIES = ("Luna 9 landing", "orbit of Mars", "first television pictures", "Venera probes on Venus")
PATIENT = "30"
"""Seconds; a busy machine fails no test."""


@dataclass
class Replicas:
    """The processes under test, and the database."""

    suite: RunningSuite
    retrieves: list[KillableProcess]
    gateways: list[KillableGateway]
    postgres: PostgresProcess


@pytest.fixture(scope="module")
def replicas(
    tmp_path_factory: pytest.TempPathFactory,
    postgres: PostgresProcess,
    elasticsearch: ElasticsearchProcess,
    milvus: MilvusProcess,
) -> Iterator[Replicas]:
    folder = tmp_path_factory.mktemp("replicas")
    settings = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PARLEY_RETRIEVE_POSTGRES_URL": postgres.url,
        "PARLEY_RETRIEVE_POSTGRES_SCHEMA_NAME": "replicas",
        "PARLEY_RETRIEVE_ELASTICSEARCH_URL": elasticsearch.url,
        "PARLEY_ELASTICSEARCH_PREFIX": "replicas",
        "PARLEY_ELASTICSEARCH_SECONDS": PATIENT,
        "PARLEY_RETRIEVE_MILVUS_URI": milvus.uri,
        "PARLEY_RETRIEVE_MILVUS_SECONDS": PATIENT,
    }
    with ExitStack() as stack:
        suite = stack.enter_context(running_suite(folder / "data"))
        retrieves = [
            KillableProcess(
                "services.retrieve",
                {**settings, "PARLEY_RETRIEVE_DATA": str(folder / f"retrieve-{number}")},
                folder / f"retrieve-{number}.log",
            )
            for number in range(REPLICAS)
        ]
        stack.enter_context(all_running(retrieves))
        addresses = ",".join(replica.address for replica in retrieves)
        of_gateways = {
            "PARLEY_GATEWAY_RETRIEVE": f"ipv4:{addresses}",
            "PARLEY_CHANNEL_LOAD_BALANCING": "round_robin",
        }
        gateways = stack.enter_context(killable_gateways(suite, folder, of_gateways))
        yield Replicas(suite, retrieves, gateways, postgres)


def hits(replica: KillableProcess, query: str) -> list[tuple[str, float]]:
    """What a replica answers by itself."""
    with grpc.insecure_channel(replica.address) as channel:
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        evidence = stub.Search(corpus_pb2.SearchRequest(query=query), timeout=60).evidence
    return [(each.passage.passage_id, round(each.scores.fused, 4)) for each in evidence]


def documents(replica: KillableProcess) -> int:
    with grpc.insecure_channel(replica.address) as channel:
        stub = corpus_pb2_grpc.CorpusServiceStub(channel)
        return int(
            stub.GetCollection(
                corpus_pb2.GetCollectionRequest(name="default", admin=True), timeout=60
            ).collection.documents
        )


@pytest.mark.timeout(900)
def test_a_killed_process_and_a_killed_database_lose_nothing_in_an_ingest(replicas: Replicas) -> None:
    port = replicas.gateways[0].port
    expectation = len([path for path in (SAMPLES / "corpus").rglob("*") if path.is_file() and path.suffix != ".png"])
    with ThreadPoolExecutor(1) as worker:
        interrupted = worker.submit(parley_process, port, "ingest", str(SAMPLES / "corpus"))
        wait_for(lambda: documents(replicas.retrieves[0]) > 0, seconds=60)
        replicas.retrieves[1].kill()
        replicas.postgres.kill()
        replicas.postgres.start()
        interrupted.result()
    replicas.retrieves[1].start()
    replicas.retrieves[1].wait()
    wait_for(lambda: documents(replicas.retrieves[1]) > 0, seconds=60)
    acknowledged = documents(replicas.retrieves[0])
    done = parley(port, "ingest", str(SAMPLES / "corpus"))
    assert done.returncode == 0, done.stdout + done.stderr
    wait_for(lambda: {documents(replica) for replica in replicas.retrieves} == {expectation}, seconds=30)
    assert 0 < acknowledged <= expectation
    for query in QUERIES:
        answers = [hits(replica, query) for replica in replicas.retrieves]
        assert answers[0]
        assert answers == [answers[0]] * REPLICAS


@pytest.mark.timeout(900)
def test_a_rolling_restart_of_replicas_and_gateways_fails_no_turn(replicas: Replicas) -> None:
    outcomes: list[str] = []
    over = threading.Event()

    def keep_asking() -> None:
        addresses = ",".join(gateway.address for gateway in replicas.gateways)
        with Gateway(addresses, patience=60.0).open() as gateway:
            while not over.is_set():
                outcomes.append(gateway.ask(Wish(QUESTION)).outcome)

    with ThreadPoolExecutor(CALLERS) as callers:
        calls = [callers.submit(keep_asking) for _ in range(CALLERS)]
        try:
            wait_for(lambda: len(outcomes) >= CALLERS, seconds=60)
            for process in (*replicas.retrieves, *replicas.gateways):
                process.restart()
        finally:
            over.set()
        for call in calls:
            call.result()
    assert set(outcomes) == {"ANSWERED"}
    assert len(outcomes) > 2 * CALLERS
