"""Who may call, and what of a caller the gateway hears."""

from typing import Any

import pytest

from doors.callers import metadata_of, peer_of
from doors.settings import DoorsSettings
from libs.runtime.settings import SettingsError
from parley.gateway.v1 import gateway_pb2
from tests.unit.doors.conftest import GATEWAY, Doors, doors_with

INFO = f"{GATEWAY}/GetServerInfo"
HERE, ELSEWHERE = "127.0.0.1", "203.0.113.9"
CLAIMED = (("x-parley-principal", "alice"), ("x-api-key", "key"))


def scope(client: str, *headers: tuple[str, str]) -> dict[str, Any]:
    return {
        "type": "http",
        "client": (client, 4711),
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }


@pytest.mark.parametrize("host", ["127.0.0.1:8050", "localhost:8050", "parley.localhost", "[::1]:8050", "192.0.2.1"])
async def test_addresses_and_names_of_this_machine_are_answered(doors: Doors, host: str) -> None:
    assert (await doors.http.get("/healthz", headers={"host": host})).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8050",
        "127.0.0.1.evil.example",
        "[::1].evil.example",
        "evil.example@[::1]",
        "[",
        "",
    ],
)
async def test_a_name_that_leads_here_without_leave_is_refused(doors: Doors, host: str) -> None:
    response = await doors.http.get("/healthz", headers={"host": host})
    assert response.status_code == 421
    assert "PARLEY_DOORS_ALLOWED_HOSTS" in response.text


async def test_a_name_is_answered_if_it_is_allowed() -> None:
    async with doors_with(allowed_hosts=("Parley.example",)) as doors:
        assert (await doors.http.get("/healthz", headers={"host": "parley.example"})).status_code == 200


async def test_a_page_of_another_origin_is_refused(doors: Doors) -> None:
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{doors.port + 1}"):
        response = await doors.http.post(INFO, headers={"origin": origin})
        assert response.status_code == 403, origin
        assert "access-control-allow-origin" not in response.headers


async def test_the_page_that_is_served_here_may_call(doors: Doors) -> None:
    own = f"http://127.0.0.1:{doors.port}"
    _, trailers = await doors.call(INFO, gateway_pb2.GetServerInfoRequest(), origin=own)
    assert trailers["grpc-status"] == "0"


async def test_an_allowed_origin_may_call_from_its_page() -> None:
    origin = "https://intranet.example"
    async with doors_with(allowed_origins=(origin,)) as doors:
        asked = {
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "x-api-key",
        }
        preflight = await doors.http.options(INFO, headers=asked)
        assert preflight.headers["access-control-allow-origin"] == origin
        refused = await doors.http.options(INFO, headers={**asked, "origin": "https://evil.example"})
        assert refused.status_code == 403


async def test_every_response_bounds_what_its_page_may_do(doors: Doors) -> None:
    for response in (await doors.http.get("/"), await doors.http.get("/x", headers={"host": "evil.example"})):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"


async def test_credentials_and_principals_of_this_machine_reach_the_gateway(doors: Doors) -> None:
    headers = {
        "authorization": "Bearer token",
        "x-api-key": "key",
        "x-parley-principal": "alice, team:red",
        "x-other": "dropped",
    }
    await doors.call(INFO, gateway_pb2.GetServerInfoRequest(), **headers)
    metadata = doors.gateway.metadata
    assert (metadata["authorization"], metadata["x-api-key"]) == (["Bearer token"], ["key"])
    assert metadata["x-parley-principal"] == ["alice", "team:red"]
    assert "x-other" not in metadata


@pytest.mark.parametrize(
    ("client", "headers"),
    [(ELSEWHERE, ()), (HERE, (("x-forwarded-for", HERE),)), (HERE, (("forwarded", "for=127.0.0.1"),))],
)
def test_principals_from_elsewhere_are_dropped_alone(client: str, headers: tuple[tuple[str, str], ...]) -> None:
    names = [name for name, _ in metadata_of(scope(client, *CLAIMED, *headers))]
    assert names == ["x-api-key", "x-parley-peer"]


@pytest.mark.parametrize(
    ("client", "headers", "peer"),
    [
        (HERE, (), "ipv4:127.0.0.1:4711"),
        ("::1", (), "ipv6:[::1]:4711"),
        (ELSEWHERE, (), "ipv4:203.0.113.9:4711"),
        (ELSEWHERE, (("x-forwarded-for", HERE),), "forwarded:203.0.113.9:0"),
        (HERE, (("x-forwarded-for", f"{HERE}, {ELSEWHERE}"),), "forwarded:203.0.113.9:0"),
        (HERE, (("x-forwarded-for", ELSEWHERE), ("x-forwarded-for", "198.51.100.1")), "forwarded:198.51.100.1:0"),
        (HERE, (("x-forwarded-for", HERE),), "forwarded:127.0.0.1:0"),
        (HERE, (("x-forwarded-for", "2001:db8::1"),), "forwarded:[2001:db8::1]:0"),
        (HERE, (("x-forwarded-for", "unix"),), "forwarded::0"),
        (HERE, (("x-forwarded-for", "fe80::1%ä"),), "forwarded::0"),
        (HERE, (("forwarded", f"for={HERE}"),), "forwarded::0"),
    ],
)
def test_the_gateway_hears_a_requests_origin(client: str, headers: tuple[tuple[str, str], ...], peer: str) -> None:
    claimed = ("x-parley-peer", "ipv4:127.0.0.1:1")
    assert metadata_of(scope(client, claimed, *headers)) == (("x-parley-peer", peer),)


@pytest.mark.parametrize(
    ("client", "peer"),
    [
        ("10.1.2.3", "forwarded:198.51.100.1:0"),
        ("::ffff:10.1.2.3", "forwarded:198.51.100.1:0"),
        ("2001:db8::7", "forwarded:198.51.100.1:0"),
        (HERE, "forwarded:198.51.100.1:0"),
        (ELSEWHERE, f"forwarded:{ELSEWHERE}:0"),
        ("10.2.2.3", "forwarded:10.2.2.3:0"),
    ],
)
def test_a_trusted_proxy_is_believed_about_the_last_address_that_it_names(client: str, peer: str) -> None:
    proxies = DoorsSettings.load(trusted_proxies=("10.1.0.0/16", "2001:db8::7")).trusted_proxies
    headers = (("x-forwarded-for", f"{HERE}, 198.51.100.1"),)
    assert peer_of(scope(client, *headers), proxies) == peer


async def test_a_request_through_a_trusted_proxy_is_no_caller_of_this_machine() -> None:
    async with doors_with(trusted_proxies=("127.0.0.1/32",)) as doors:
        forwarded = {"x-forwarded-for": HERE, "x-parley-principal": "alice"}
        await doors.call(INFO, gateway_pb2.GetServerInfoRequest(), **forwarded)
    assert doors.gateway.metadata["x-parley-peer"] == [f"forwarded:{HERE}:0"]
    assert "x-parley-principal" not in doors.gateway.metadata


@pytest.mark.parametrize("proxies", [("10.1.2.3/16",), ("ingress",)])
def test_a_proxy_that_is_no_network_is_refused(proxies: tuple[str, ...]) -> None:
    with pytest.raises(SettingsError, match="PARLEY_DOORS_TRUSTED_PROXIES"):
        DoorsSettings.load(trusted_proxies=proxies)


def test_the_gateway_hears_that_an_origin_is_unknown() -> None:
    assert metadata_of({**scope(HERE), "client": None}) == (("x-parley-peer", "unknown::0"),)


def test_a_value_that_cannot_be_sent_is_dropped() -> None:
    headers = (("x-parley-principal", "älice"), ("authorization", "a\tb"))
    assert [name for name, _ in metadata_of(scope(HERE, *headers))] == ["x-parley-peer"]


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"host": "0.0.0.0"}, "PARLEY_DOORS_HOST"),
        ({"certificate": "c.pem"}, "PARLEY_DOORS_KEY"),
        ({"key": "k.pem"}, "PARLEY_DOORS_CERTIFICATE"),
    ],
)
def test_a_public_address_in_plain_text_or_half_certified_is_refused(settings: dict[str, Any], variable: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        DoorsSettings(**settings).check()


def test_arguments_of_the_command_line_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_DOORS_PORT", "1234")
    monkeypatch.setenv("PARLEY_DOORS_GATEWAY", "10.0.0.1:50051")
    settings = DoorsSettings.from_args(["--host", "0.0.0.0", "--insecure"])
    assert (settings.host, settings.port, settings.gateway) == ("0.0.0.0", 1234, "10.0.0.1:50051")
