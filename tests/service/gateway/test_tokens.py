"""Tokens of the issuer are accepted, and no others."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from typing import Any

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from structlog.testing import capture_logs

from gateway.identity.settings import AuthSettings
from libs.runtime.errors import Unauthenticated
from libs.runtime.serving.health import health_of
from libs.runtime.settings import SettingsError
from tests.fakes.token_issuer import AUDIENCE, ISSUER, Issuer, claims_of, raw_token
from tests.service.gateway.conftest import Door, OpenDoor, bearer, token_settings

CLAIMED = ("x-parley-principal", "root")
GOOD = ("authorization", "of the issuer")
"""Stands for a token that is accepted."""


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
async def test_a_token_of_the_issuer_names_the_caller(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer, algorithm: str
) -> None:
    async with open_door(tokens) as door:
        assert await door.principals(CLAIMED, bearer(issuer.token("alice", algorithm))) == ["alice"]


async def test_every_type_of_call_has_its_own_caller(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    names = ["alice", "bob", "carol", "dave"] * 5
    async with open_door(tokens) as door:
        answers = await asyncio.gather(*(door.by_every_type_of_call(bearer(issuer.token(name))) for name in names))
        assert answers == [{"Say": [name], "Count": [name], "Sum": [name], "Chat": [name]} for name in names]


async def test_without_credentials_health_answers(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    async with open_door(tokens) as door:
        refusal = await door.refusal(CLAIMED)
        assert isinstance(refusal, Unauthenticated)
        assert refusal.reason == "CREDENTIALS_MISSING"
        assert await health_of(door.address) == "SERVING"
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await _reflected(door)
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert "trial.v1.EchoService" in await _reflected(door, bearer(issuer.token()))
        unknown: Any = door.channel.unary_unary("/trial.v1.EchoService/NoSuchMethod")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await unknown(b"")
        assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED


NOW = int(time.time())


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        pytest.param({"exp": NOW - 60}, "has expired", id="expired"),
        pytest.param({"nbf": NOW + 3600}, "not valid yet", id="not valid yet"),
        pytest.param({"iat": NOW + 3600}, "not valid yet", id="issued in the future"),
        pytest.param({"aud": "others"}, "another audience", id="of another audience"),
        pytest.param({"iss": "https://others.test"}, "another issuer", id="of another issuer"),
        pytest.param({"exp": None}, "lacks exp, iss or aud", id="without expiry"),
        pytest.param({"aud": None}, "lacks exp, iss or aud", id="without audience"),
        pytest.param({"iss": None}, "lacks exp, iss or aud", id="without issuer"),
        pytest.param({"sub": None}, "lacks the claim sub", id="without subject"),
        pytest.param({"sub": ""}, "cannot be used", id="with an empty subject"),
        pytest.param({"sub": "alice\nbob"}, "cannot be used", id="with a subject of two lines"),
        pytest.param({"sub": "a" * 300}, "cannot be used", id="with a subject of 300 characters"),
        pytest.param({"exp": "never"}, "damaged", id="that never ends"),
        pytest.param({"exp": f"{NOW + 3600}"}, "no number of seconds", id="that ends at a text"),
        pytest.param({"exp": 1e300}, "no number of seconds", id="that ends after all calendars"),
        pytest.param({"nbf": "1"}, "no number of seconds", id="that begins at a text"),
    ],
)
async def test_a_token_is_refused(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer, claims: dict[str, Any], why: str
) -> None:
    async with open_door(tokens) as door:
        await _is_refused(door, issuer.token(**{"subject": "alice", **claims}), why)


async def test_a_forged_token_is_refused(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    good, claims = issuer.token("alice"), claims_of("root")
    header, _, signature = good.split(".")
    payload = raw_token({}, claims).split(".")[1]
    ids = {algorithm: issuer.key_id(algorithm) for algorithm in ("RS256", "ES256")}
    # The well-known confusion: a public key taken for a shared secret.
    by_public_key = raw_token({"alg": "HS256", "kid": ids["RS256"]}, claims)
    by_public_key = _signed_as_shared_secret(by_public_key, issuer.public_pem("RS256"))
    forged = {
        "with other claims": (f"{header}.{payload}.{signature}", "signature is wrong"),
        "by another issuer's key of the same id": (Issuer().token("root"), "signature is wrong"),
        "by an unknown key": (Issuer("b").token("root"), "no such key"),
        "without signature": (raw_token({"alg": "none"}, claims), "algorithm is not accepted"),
        "without signature, of a known algorithm": (raw_token({"alg": "ES256"}, claims), "signature is wrong"),
        "by the public key": (by_public_key, "algorithm is not accepted"),
        "of another type of key": (raw_token({"alg": "ES256", "kid": ids["RS256"]}, claims), "no such key"),
        "with a key of its own": (raw_token({"alg": "ES256", "kid": 1, "jwk": {}}, claims), "damaged"),
        "with an unknown extension": (
            raw_token({"alg": "ES256", "kid": ids["ES256"], "crit": ["x"]}, claims, b"0" * 64),
            "damaged",
        ),
        "with something behind its signature": (f"{good}==", "damaged"),
        "of two parts": ("a.b", "damaged"),
        "of nothing": ("...", "damaged"),
        "not base64": ("%C3%A9.b.c", "damaged"),
        "nested deeply": (f"{base64.urlsafe_b64encode(b'[' * 5000).decode()}.e30.e30", "damaged"),
    }
    async with open_door(tokens) as door:
        for token, why in forged.values():
            await _is_refused(door, token, why)
        assert await door.principals(bearer(good)) == ["alice"]


async def test_claims_that_are_no_json_in_utf_8_are_refused(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer
) -> None:
    claims = json.dumps(claims_of("alice"))
    async with open_door(tokens) as door:
        other_encodings = claims.encode("utf-16"), claims.encode("utf-8-sig")
        for payload in (*other_encodings, f"[{claims}]".encode(), claims.replace("{", '{"x": NaN, ').encode()):
            await _is_refused(door, issuer.signed(payload), "damaged")
        assert await door.principals(bearer(issuer.signed(claims.encode()))) == ["alice"]


async def test_a_subject_that_looks_like_a_group_is_refused(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer
) -> None:
    auth = token_settings(tokens.jwks, group_claims=("groups",), group_prefix="group:")
    async with open_door(auth) as door:
        await _is_refused(door, issuer.token("group:admins"), "begins as the groups do")


def _signed_as_shared_secret(token: str, secret: bytes) -> str:
    """A token signed with HMAC, which the library itself refuses to do with a public key."""
    signed = token.rpartition(".")[0]
    digest = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


async def _is_refused(door: Door, token: str, why: str) -> None:
    """Check that all bad tokens get one answer, before a message is read, and that the log tells them apart."""
    with capture_logs() as logs:
        refusal = await door.refusal_before_the_message(bearer(token))
    assert isinstance(refusal, Unauthenticated)
    assert (refusal.reason, refusal.message) == (
        "CREDENTIALS_INVALID",
        "The credentials are not accepted: see the gateway's log.",
    )
    (line,) = [line for line in logs if line["event"] == "credentials refused"]
    assert why in line["why"]
    assert token not in str(logs)


@pytest.mark.parametrize(
    "metadata",
    [
        (("authorization", "Basic YWxpY2U6c2VjcmV0"),),
        (("authorization", "Bearer"),),
        (("authorization", ""),),
        (("x-api-key", "not-ours"),),
        (("authorization", "Bearer parley-00000000-unknown"),),
        (GOOD, ("x-api-key", "parley-x")),
        (GOOD, GOOD),
    ],
)
async def test_other_credentials_and_two_at_once_are_refused(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer, metadata: tuple[tuple[str, str], ...]
) -> None:
    async with open_door(tokens) as door:
        sent = [bearer(issuer.token()) if each is GOOD else each for each in metadata]
        assert (await door.refusal(*sent)).reason == "CREDENTIALS_INVALID"


async def test_groups_become_principals(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    auth = token_settings(tokens.jwks, group_claims=("groups", "realm_access.roles"), group_prefix="group:")
    async with open_door(auth) as door:

        async def principals(**claims: Any) -> list[str]:
            return await door.principals(bearer(issuer.token("alice", **claims)))

        assert await principals() == ["alice"]
        assert await principals(groups=["staff", "alice", "staff"]) == ["alice", "group:alice", "group:staff"]
        assert await principals(groups="staff", realm_access={"roles": ["admin"]}) == [
            "alice",
            "group:admin",
            "group:staff",
        ]
        for unusable in ([1], {"a": "b"}, [None], [f"g{n}" for n in range(64)]):
            assert (await door.refusal(bearer(issuer.token(groups=unusable)))).reason == "CREDENTIALS_INVALID"


async def test_anonymous_callers_have_no_principals_and_may_not_be_wrong(
    open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer
) -> None:
    async with open_door(token_settings(tokens.jwks, anonymous=True)) as door:
        assert await door.principals(CLAIMED) == []
        assert await door.principals(bearer(issuer.token("alice"))) == ["alice"]
        assert (await door.refusal(bearer("wrong"))).reason == "CREDENTIALS_INVALID"


async def test_the_issuers_clock_may_differ_a_little(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    async with open_door(tokens) as door:
        assert await door.principals(bearer(issuer.token(exp=int(time.time()) - 15))) == ["alice"]
        await _is_refused(door, issuer.token(exp=int(time.time()) - 90), "has expired")


async def test_an_algorithm_left_out_is_refused(open_door: OpenDoor, tokens: AuthSettings, issuer: Issuer) -> None:
    async with open_door(token_settings(tokens.jwks, algorithms=("ES256",))) as door:
        assert await door.principals(bearer(issuer.token(algorithm="ES256"))) == ["alice"]
        await _is_refused(door, issuer.token(algorithm="RS256"), "algorithm is not accepted")


async def test_without_settings_everybody_is_admitted_and_headers_count(open_door: OpenDoor) -> None:
    async with open_door(AuthSettings()) as door:
        assert await door.principals() == []
        assert await door.principals(CLAIMED, bearer("anything")) == ["root"]


async def test_behind_a_sidecar_headers_and_credentials_count_for_nobody(open_door: OpenDoor) -> None:
    async with open_door(AuthSettings(local_principals=False)) as door:
        for metadata in ((CLAIMED,), (CLAIMED, ("x-parley-peer", "ipv4:127.0.0.1:1")), (bearer("of somebody else"),)):
            assert await door.principals(*metadata) == []


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"jwks": "keys.json", "issuer": ISSUER}, "PARLEY_AUTH_AUDIENCE: must be set"),
        ({"jwks": "keys.json", "audience": (AUDIENCE,)}, "PARLEY_AUTH_ISSUER: must be set"),
        ({"issuer": ISSUER}, "PARLEY_AUTH_JWKS: must be set"),
        ({"anonymous": True}, "PARLEY_AUTH_ANONYMOUS"),
        ({"jwks": "missing.json", "issuer": ISSUER, "audience": (AUDIENCE,)}, "PARLEY_AUTH_JWKS: .*No such file"),
        ({"jwks": "https://", "issuer": ISSUER, "audience": (AUDIENCE,)}, "PARLEY_AUTH_JWKS: the URL names no host"),
        ({"keys": "missing.keys"}, "PARLEY_AUTH_KEYS: .*No such file"),
        ({"algorithms": ("HS256",)}, "PARLEY_AUTH_ALGORITHMS"),
        ({"algorithms": ("none",)}, "PARLEY_AUTH_ALGORITHMS"),
        ({"algorithms": ()}, "PARLEY_AUTH_ALGORITHMS"),
    ],
)
async def test_unusable_settings_are_refused(open_door: OpenDoor, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        async with open_door(AuthSettings(**settings)):
            pass


async def _reflected(door: Door, *metadata: tuple[str, str]) -> list[str]:
    stub: Any = reflection_pb2_grpc.ServerReflectionStub(door.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    responses = [each async for each in stub.ServerReflectionInfo(iter([request]), metadata=metadata, timeout=10)]
    return [service.name for each in responses for service in each.list_services_response.service]
