"""`parley up --web`: a process that speaks HTTP beside the others, started, watched and stopped as they are."""

import json
import signal
import urllib.request
from pathlib import Path

import pytest

from bench.suite import free_ports, running_suite
from tests.system.waiting import wait_for


def healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}healthz", timeout=2) as response:
            return bool(json.load(response) == {"status": "serving"})
    except OSError:
        return False


@pytest.mark.slow
def test_the_process_of_the_console_is_named_restarted_and_stopped(tmp_path: Path) -> None:
    port = free_ports(1)
    url = f"http://127.0.0.1:{port}/"
    with running_suite(tmp_path / "data", processes=1, arguments=("--web", "--web-port", str(port))) as suite:
        log = tmp_path / "data.up.log"
        wait_for(lambda: "All SERVING" in log.read_text())
        assert f"Console: {url}" in log.read_text()
        assert healthy(url)
        doors = suite.processes()["doors"]
        doors.send_signal(signal.SIGKILL)
        wait_for(lambda: healthy(url) and suite.processes()["doors"].pid != doors.pid)
    assert not healthy(url)
