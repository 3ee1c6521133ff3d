"""The keys of the issuer: fetched when they are needed, replaced without a restart, kept while they cannot be had."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest

from gateway.identity import issuer_keys
from gateway.identity.issuer_keys import read_key_set
from libs.runtime.errors import Unauthenticated, Unavailable
from tests.fakes.token_issuer import Issuer, key_server
from tests.service.gateway.conftest import OpenDoor, bearer, token_settings

AT_ONCE = 1e-6
"""Seconds between two fetches in tests that want each."""


@pytest.fixture
def fetched_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys are fetched whenever they are needed, however soon after the last time."""
    monkeypatch.setattr(issuer_keys, "REFRESH_SECONDS", AT_ONCE)


@pytest.fixture(scope="session")
def successor() -> Issuer:
    """The same issuer with new keys."""
    return Issuer("b")


async def test_keys_of_the_url_are_fetched_once_when_they_are_needed(open_door: OpenDoor, issuer: Issuer) -> None:
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url)) as door:
        assert server.requests == 0
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        assert await door.principals(bearer(issuer.token("bob", "RS256"))) == ["bob"]
        assert server.requests == 1


@pytest.mark.usefixtures("fetched_at_once")
async def test_new_keys_of_the_url_replace_the_old_ones(open_door: OpenDoor, issuer: Issuer, successor: Issuer) -> None:
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url)) as door:
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        server.content = successor.key_set()
        assert await door.principals(bearer(successor.token())) == ["alice"]
        assert (await door.refusal(bearer(issuer.token()))).reason == "CREDENTIALS_INVALID"


async def test_unknown_keys_make_no_more_fetches(open_door: OpenDoor, issuer: Issuer, successor: Issuer) -> None:
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url)) as door:
        refusals = await asyncio.gather(*(door.refusal(bearer(successor.token())) for _ in range(20)))
        assert {refusal.reason for refusal in refusals} == {"CREDENTIALS_INVALID"}
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        assert server.requests == 1


@pytest.mark.usefixtures("fetched_at_once")
async def test_a_removed_key_holds_for_the_age_of_keys(open_door: OpenDoor, issuer: Issuer, successor: Issuer) -> None:
    settings = {"max_age_seconds": AT_ONCE}
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url, **settings)) as door:
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        server.content = successor.key_set()
        async with asyncio.timeout(10):
            with suppress(Unauthenticated):
                while True:  # the fetch goes on beside the calls
                    await door.principals(bearer(issuer.token()))


@pytest.mark.usefixtures("fetched_at_once")
async def test_while_the_url_is_down_earlier_keys_hold(open_door: OpenDoor, issuer: Issuer, successor: Issuer) -> None:
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url)) as door:
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        for server.status, server.content in ((500, b""), (200, b"not JSON"), (200, b'{"keys": []}')):
            assert (await door.refusal(bearer(successor.token()))).reason == "CREDENTIALS_INVALID"
            assert await door.principals(bearer(issuer.token())) == ["alice"]
        assert server.requests == 4


@pytest.mark.usefixtures("fetched_at_once")
async def test_until_the_first_fetch_succeeds_callers_are_sent_away(open_door: OpenDoor, issuer: Issuer) -> None:
    async with key_server(b"") as server, open_door(token_settings(server.url)) as door:
        refusal = await door.refusal(bearer(issuer.token()))
        assert isinstance(refusal, Unavailable)
        assert refusal.reason == "ISSUER_UNAVAILABLE"
        assert refusal.retry_after is not None
        server.content = issuer.key_set()
        assert await door.principals(bearer(issuer.token())) == ["alice"]


async def test_a_url_that_hangs_holds_a_call_for_the_time_of_a_fetch(
    open_door: OpenDoor, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuer_keys, "FETCH_SECONDS", 0.2)
    async with key_server(issuer.key_set()) as server, open_door(token_settings(server.url)) as door:
        server.goes_on.clear()
        calls = (door.refusal(bearer(issuer.token())) for _ in range(10))
        refusals = await asyncio.wait_for(asyncio.gather(*calls), 5)
        assert {refusal.reason for refusal in refusals} == {"ISSUER_UNAVAILABLE"}


async def test_keys_of_a_file_are_replaced_without_a_restart(
    open_door: OpenDoor, issuer: Issuer, successor: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("libs.runtime.security.watched_files.CHECK_SECONDS", 0.0)
    path = tmp_path / "keys.json"
    path.write_bytes(issuer.key_set())
    async with open_door(token_settings(str(path))) as door:
        assert await door.principals(bearer(issuer.token())) == ["alice"]
        path.write_bytes(successor.key_set())
        assert await door.principals(bearer(successor.token())) == ["alice"]
        assert (await door.refusal(bearer(issuer.token()))).reason == "CREDENTIALS_INVALID"
        path.write_bytes(b"{")  # half written: the earlier keys stay
        assert await door.principals(bearer(successor.token())) == ["alice"]


def test_a_token_without_a_key_id_is_checked_by_the_only_key_of_its_type(issuer: Issuer) -> None:
    keys = read_key_set(issuer.key_set())
    assert {name: key.key_id for name in ("RS256", "ES256", "EdDSA") if (key := keys.key(None, name))} == {
        "RS256": "a-rsa",
        "ES256": "a-ec",
        "EdDSA": "a-ed",
    }
    entries = [entry for each in (issuer, Issuer("b")) for entry in json.loads(each.key_set())["keys"]]
    doubled = read_key_set(json.dumps({"keys": entries}).encode())
    assert doubled.key(None, "ES256") is None
    assert doubled.key("b-ec", "ES256") is not None


@pytest.mark.parametrize(
    "change",
    [
        {"kty": "oct", "k": "c2VjcmV0"},
        {"use": "enc"},
        {"key_ops": ["sign"]},
        {"alg": "HS256"},
        {"crv": "P-384"},
        {"d": "c2VjcmV0"},
        {"x": "AA"},
        {"x": 1},
    ],
)
def test_a_key_that_cannot_check_tokens_is_left_out(issuer: Issuer, change: dict[str, object]) -> None:
    entries = json.loads(issuer.key_set())["keys"]
    changed = [{**entry, **change} if entry["kid"] == "a-ec" else entry for entry in entries]
    keys = read_key_set(json.dumps({"keys": changed}).encode())
    assert keys.key("a-ec", "ES256") is None
    assert keys.key("a-ed", "EdDSA") is not None


@pytest.mark.parametrize("content", [b"", b"[]", b'{"keys": 1}', b'{"keys": [1, {"kty": "oct"}]}', b"[" * 100_000])
def test_a_set_without_usable_keys_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="JWK Set"):
        read_key_set(content)
