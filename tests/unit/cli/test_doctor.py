"""The state of the suite, told by the gateway or asked of each port."""

import asyncio
from typing import Any

import pytest

from parley.context.v1 import usage_pb2
from parley.gateway.v1 import gateway_pb2
from parley.runtime.v1 import server_info_pb2
from tests.fakes.running_server import running
from tests.unit.cli.conftest import Run


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.environ", {"PATH": "/usr/bin"})


def suite(**missing: bool) -> gateway_pb2.GetServerInfoResponse:
    """All six, SERVING but for the ones named; of these True ones can be reached."""
    info = gateway_pb2.GetServerInfoResponse(version="0.1.0")
    for number, name in enumerate(("gateway", "intent", "decompose", "retrieve", "answer", "timeline"), start=1):
        stage = info.stages.add(
            stage=usage_pb2.Stage.Name(usage_pb2.Stage.ValueType(number)),
            address=f"127.0.0.1:{52000 + number}",
            serving=name not in missing,
        )
        if missing.get(name, True):
            stage.info.CopyFrom(server_info_pb2.GetServerInfoResponse(name=name))
    info.stages[3].info.capabilities.add(task="embed", engine="onnx", detail="e5-small")
    return info


def test_a_whole_suite_ends_with_0_and_tells_which_engine_does_what(gateway: Any, parley: Run) -> None:
    gateway.info = suite()
    result = parley("doctor")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "retrieve\t127.0.0.1:52004\tSERVING\tembed: onnx (e5-small)\n" in result.stdout


def test_a_process_that_cannot_be_reached_ends_with_1(gateway: Any, parley: Run) -> None:
    gateway.info = suite(timeline=False, answer=True)
    result = parley("doctor")
    assert result.exit_code == 1
    assert "answer\t127.0.0.1:52005\tNOT_SERVING\t-\n" in result.stdout
    assert "timeline\t127.0.0.1:52006\tUNREACHABLE\t-\n" in result.stdout
    assert result.stderr.startswith("Not SERVING: answer, timeline.")


def test_without_a_gateway_each_port_is_asked(parley: Run, unused_tcp_port: int) -> None:
    result = parley("doctor", port=unused_tcp_port)
    assert result.exit_code == 1
    assert f"gateway\t127.0.0.1:{unused_tcp_port}\tUNREACHABLE\t-\n" in result.stdout
    assert f"timeline\t127.0.0.1:{unused_tcp_port + 5}\tUNREACHABLE\t-\n" in result.stdout


def test_of_several_gateways_the_first_one_tells_where_the_stages_are(parley: Run, unused_tcp_port: int) -> None:
    hosts = f"127.0.0.1:{unused_tcp_port},127.0.0.1:{unused_tcp_port + 6}"
    result = parley("doctor", "--host", hosts)
    assert f"gateway\t127.0.0.1:{unused_tcp_port}\tUNREACHABLE\t-\n" in result.stdout
    assert f"timeline\t127.0.0.1:{unused_tcp_port + 5}\tUNREACHABLE\t-\n" in result.stdout


def test_a_host_without_an_address_is_named(parley: Run) -> None:
    result = parley("doctor", "--host", "nowhere.invalid:1,127.0.0.1:2")
    assert (result.exit_code, result.stderr) == (1, "The host nowhere.invalid has no address: check its name.\n")


def test_of_several_gateways_one_reports(gateway: Any, parley: Run, unused_tcp_port: int) -> None:
    gateway.info = suite()
    result = parley("doctor", "--host", f"127.0.0.1:{unused_tcp_port},127.0.0.1:{gateway.port}")
    assert (result.exit_code, result.stderr) == (0, "")


def test_stages_at_one_address_are_one_process(gateway: Any, parley: Run) -> None:
    gateway.info = suite(answer=False)
    for stage in gateway.info.stages[:2]:
        stage.address = "127.0.0.1:52000"
    output = parley("doctor")
    assert "\ngateway+intent\t127.0.0.1:52000\tSERVING\t-\n" in output.stdout
    assert output.stderr.startswith("Not SERVING: answer.")


async def test_without_a_gateway_a_stage_that_another_process_serves_is_not_missed_on_its_own_port(parley: Run) -> None:
    async with running(name="gateway+intent+decompose+timeline") as server:
        output = await asyncio.to_thread(parley, "doctor", port=server.port)
    rows = [line.split("\t")[:3] for line in output.stdout.splitlines() if "\t" in line]
    assert rows[1:] == [
        ["gateway+intent+decompose+timeline", server.target, "SERVING"],
        ["retrieve", f"127.0.0.1:{server.port + 3}", "UNREACHABLE"],
        ["answer", f"127.0.0.1:{server.port + 4}", "UNREACHABLE"],
    ]
    assert output.stderr.startswith("Not SERVING: retrieve, answer.")


def test_what_is_configured_is_told_but_no_secret(gateway: Any, parley: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_LLM_MODEL", "small")
    monkeypatch.setenv("PARLEY_LLM_API_KEY", "s3cret")
    gateway.info = suite()
    output = parley("doctor").stdout
    assert "settings file: none (parley.toml does not exist)\n" in output
    assert "PARLEY_LLM_MODEL: small\n" in output
    assert "PARLEY_LLM_API_KEY: set\n" in output
    assert "s3cret" not in output
