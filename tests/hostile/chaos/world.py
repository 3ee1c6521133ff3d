"""A suite whose gateway reaches every stage, and whose writer reaches its language model, through proxies."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from bench.suite import RunningSuite, running_suite
from tests.fakes.scripted_llm import LlmRequest, in_a_thread
from tests.hostile.chaos.faults import Fault, Proxy, ProxyThread
from tests.hostile.chaos.impostors import UNREADABLE, grpc_impostor, http_impostor
from tests.hostile.chaos.turns import Caller, Logs
from tests.system.killable_gateways import STAGES, KillableGateway, all_running

WRITTEN_BY_A_MODEL: Final = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
    "PARLEY_ANSWER_PICTURES_SECONDS": "30",
}
SENTENCE: Final = "Phoenix landed on Mars on 25 May 2008. [1]"


@dataclass(frozen=True)
class World:
    """A running suite, and the proxies before its parts."""

    suite: RunningSuite
    gateway: KillableGateway
    threads: ProxyThread
    proxies: Mapping[str, Proxy]
    caller: Caller
    logs: Logs
    pids: Mapping[str, Sequence[int]]
    """The processes that write files, by part, without their children."""
    repair: Callable[[], None] = lambda: None
    """Starts what did not survive a fault."""

    @contextmanager
    def fault(self, part: str, fault: Fault) -> Iterator[None]:
        """Let a part fail in the block."""
        with full_disk(self.pids[part]) if fault is Fault.FULL else self.threads.fault(self.proxies[part], fault):
            yield


@contextmanager
def world_of_stages(folder: Path) -> Iterator[World]:
    """Five stages and a model, each behind a proxy."""
    with ExitStack() as stack:
        threads = ProxyThread()
        stack.callback(threads.close)
        llm = stack.enter_context(in_a_thread())
        llm.answer_with(_answer)
        others = {
            Fault.WRONG: stack.enter_context(http_impostor(b"<html>Welcome</html>", "text/html")),
            Fault.EMPTY: stack.enter_context(http_impostor(b"{}")),
        }
        model = threads.proxy_to(int(llm.base_url.split(":")[2].split("/")[0]), others, cut_after=400)
        settings = WRITTEN_BY_A_MODEL | {"PARLEY_LLM_BASE_URL": f"http://{model.address}/v1"}
        suite = stack.enter_context(running_suite(folder / "data", settings))
        stages = {
            Fault.WRONG: stack.enter_context(grpc_impostor(UNREADABLE)),
            Fault.EMPTY: stack.enter_context(grpc_impostor(b"")),
        }
        proxies = {name: threads.proxy_to(suite.port + n, stages) for n, name in enumerate(STAGES, start=1)}
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PARLEY_GATEWAY_DATA": str(folder),
            **{f"PARLEY_GATEWAY_{name.upper()}": proxy.address for name, proxy in proxies.items()},
        }
        gateway = KillableGateway("gateway", environment, folder / "gateway.log")
        stack.enter_context(all_running([gateway]))
        logs = Logs([gateway.log, *(folder / "data" / "logs").iterdir()])
        caller = Caller(gateway.address)
        assert caller.put("phoenix").code == "OK"
        pids = {"gateway": [gateway.pid], "retrieve": [suite.processes()["retrieve"].pid]}
        yield World(suite, gateway, threads, {**proxies, "model": model}, caller, logs, pids)


@contextmanager
def full_disk(pids: Sequence[int]) -> Iterator[None]:
    """Let processes write to no file in the block."""
    _limit_files(pids, "0")
    try:
        yield
    finally:
        _limit_files(pids, "unlimited")


def _limit_files(pids: Sequence[int], size: str) -> None:
    """Limit the files of processes and of their children, in the name of the user whose they are."""
    for pid in filter(psutil.pid_exists, pids):
        processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        for process in processes:
            command = ["prlimit", "--pid", str(process.pid), f"--fsize={size}:"]
            ending = subprocess.run(command, user=process.uids().real, group=process.gids().real)
            assert ending.returncode == 0 or not process.is_running()


def _answer(request: LlmRequest) -> str:
    return SENTENCE if request.writes else "{}"
