"""A suite whose retrieve process reaches PostgreSQL, Elasticsearch and Milvus through proxies."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.suite import running_suite
from tests.hostile.chaos.faults import Fault, ProxyThread
from tests.hostile.chaos.impostors import UNREADABLE, grpc_impostor, http_impostor
from tests.hostile.chaos.turns import Caller, Logs
from tests.hostile.chaos.world import World
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess
from tests.integration.postgres.process import PostgresProcess
from tests.system.killable_gateways import STAGES, KillableGateway, KillableProcess, all_running


@contextmanager
def world_of_engines(
    folder: Path, postgres: PostgresProcess, elasticsearch: ElasticsearchProcess, milvus: MilvusProcess
) -> Iterator[World]:
    """One retrieve process over three engines, each behind a proxy."""
    with ExitStack() as stack:
        threads = ProxyThread()
        stack.callback(threads.close)
        json = {
            Fault.WRONG: stack.enter_context(http_impostor(b"<html>Welcome</html>", "text/html")),
            Fault.EMPTY: stack.enter_context(http_impostor(b"{}")),
        }
        messages = {
            Fault.WRONG: stack.enter_context(grpc_impostor(UNREADABLE)),
            Fault.EMPTY: stack.enter_context(grpc_impostor(b"")),
        }
        proxies = {
            "PostgreSQL": threads.proxy_to(postgres.port),
            "Elasticsearch": threads.proxy_to(elasticsearch.port, json, cut_after=60),
            "Milvus": threads.proxy_to(milvus.port, messages, cut_after=60),
        }
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        url = postgres.url.replace(str(postgres.port), str(proxies["PostgreSQL"].port))
        settings = {
            "PARLEY_RETRIEVE_DATA": str(folder / "retrieve"),
            "PARLEY_RETRIEVE_POSTGRES_URL": url,
            "PARLEY_RETRIEVE_POSTGRES_SCHEMA_NAME": "chaos",
            "PARLEY_RETRIEVE_ELASTICSEARCH_URL": f"http://{proxies['Elasticsearch'].address}",
            "PARLEY_ELASTICSEARCH_PREFIX": "chaos",
            "PARLEY_RETRIEVE_MILVUS_URI": f"http://{proxies['Milvus'].address}",
            "PARLEY_RETRIEVE_MILVUS_PREFIX": "chaos",
        }
        suite = stack.enter_context(running_suite(folder / "data"))
        retrieve = KillableProcess("services.retrieve", environment | settings, folder / "retrieve.log")
        stack.enter_context(all_running([retrieve]))
        stages = {f"PARLEY_GATEWAY_{name.upper()}": f"127.0.0.1:{suite.port + n}" for n, name in enumerate(STAGES, 1)}
        stages |= {"PARLEY_GATEWAY_RETRIEVE": retrieve.address, "PARLEY_GATEWAY_DATA": str(folder)}
        gateway = KillableGateway("gateway", environment | stages, folder / "gateway.log")
        stack.enter_context(all_running([gateway]))
        logs = Logs([gateway.log, retrieve.log, *(folder / "data" / "logs").iterdir()])
        caller = Caller(gateway.address)
        pids: dict[str, list[int]] = {}

        def repair() -> None:
            """PostgreSQL gives up when it cannot write its log."""
            if postgres.process is None or postgres.process.poll() is not None:
                (postgres.work / "data" / "postmaster.pid").unlink(missing_ok=True)
                postgres.start()
            pids["PostgreSQL"] = [postgres.process.pid if postgres.process else 0]

        repair()
        pids |= {"Elasticsearch": [elasticsearch.pid], "Milvus": [milvus.process.pid if milvus.process else 0]}
        assert caller.put("phoenix", 30).code == "OK"
        yield World(suite, gateway, threads, proxies, caller, logs, pids, repair)
