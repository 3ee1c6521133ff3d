"""What a suite's processes serve, and where."""

import pytest
from typer.testing import CliRunner

from cli.app import command_line
from cli.connection.gateway_connection import address_of
from cli.suite.processes import DOORS, LAYOUTS, STAGES, Process, metrics_port, port_of, suite


@pytest.mark.parametrize("processes", LAYOUTS)
def test_every_stage_is_served_once_at_the_port_of_the_first_beside_it(processes: int) -> None:
    layout = suite("127.0.0.1", 7000, processes)
    assert sorted(name for process in layout for name in process.names) == sorted(STAGES)
    assert len(layout) == processes
    assert all(process.port == 7000 + STAGES.index(process.names[0]) for process in layout)


def test_stages_named_in_any_order_have_the_lowest_of_their_ports_from_which_a_gateway_finds_the_rest() -> None:
    assert port_of(["timeline", "gateway"]) == port_of(["gateway"]) == 50051
    assert port_of(["answer", "retrieve"]) == 50054


def test_one_of_its_own_is_its_stages_module_several_are_hosted_by_name() -> None:
    together, retrieve, _ = suite("::1", 7000, 3)
    assert together.command == ("cli.suite.serving", "gateway", "intent", "decompose", "timeline")
    assert (retrieve.command, retrieve.address) == (("services.retrieve",), "[::1]:7003")


@pytest.mark.parametrize("processes", LAYOUTS)
def test_further_gateways_are_processes_of_their_own_after_the_stages(processes: int) -> None:
    *layout, second, third = suite("127.0.0.1", 7000, processes, gateways=3)
    assert tuple(layout) == suite("127.0.0.1", 7000, processes)
    assert [(each.name, each.port, each.command) for each in (second, third)] == [
        ("gateway-2", 7006, ("gateway",)),
        ("gateway-3", 7007, ("gateway",)),
    ]


def test_a_layout_that_there_is_not_is_refused() -> None:
    result = CliRunner().invoke(command_line(), ["up", "--processes", "4"])
    assert result.exit_code == 2
    assert "6, 3, 2, 1" in result.output


@pytest.mark.parametrize("processes", LAYOUTS)
@pytest.mark.parametrize("gateways", [1, 2])
def test_processes_are_scraped_as_far_apart_as_their_own_ports_and_http_next(processes: int, gateways: int) -> None:
    of_grpc = suite("127.0.0.1", 7000, processes, gateways)
    doors = Process((DOORS,), "127.0.0.1", 8050)
    layout = (*of_grpc, doors)
    ports = [metrics_port(process, layout, 9464) for process in of_grpc]
    assert ports == [process.port + 2464 for process in of_grpc]
    assert metrics_port(doors, layout, 9464) == max(ports) + 1


def test_stages_alone_are_not_called_by_clients() -> None:
    processes = [*suite("127.0.0.1", 50051), *suite("127.0.0.1", 50051, 3), Process((DOORS,), "127.0.0.1", 8050)]
    called = {process.name for process in processes if process.is_called_by_clients}
    assert called == {"gateway", "gateway+intent+decompose+timeline", DOORS}
    assert [process.command for process in processes if process.speaks_http] == [("doors",)]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "localhost:50051"),
        ("::1", "[::1]:50051"),
        ("[::1]", "[::1]:50051"),
        ("[::1]:4711", "[::1]:4711"),
        ("a:1,b:2", "a:1,b:2"),
    ],
)
def test_a_host_without_a_port_gets_that_of_the_option(host: str, address: str) -> None:
    assert address_of(host, 50051) == address
