"""Whose call it is."""

from contextvars import copy_context

import pytest

from gateway.access.principals import caller_of, is_stranger, origin_of, sender_of
from gateway.identity.caller import hold

LOCAL = "ipv4:127.0.0.1:40332"
REMOTE = "ipv4:192.0.2.7:40332"


class Context:
    def __init__(self, peer: str, *metadata: tuple[str, str]) -> None:
        self._peer, self._metadata = peer, metadata

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


ANN = ("x-parley-principal", "ann")
STAFF = ("x-parley-principal", "staff")
KEY = ("x-api-key", "one")


def passed_on(peer: str) -> tuple[str, str]:
    return "x-parley-peer", peer


def test_calls_of_the_same_principals_have_one_sender() -> None:
    assert sender_of(Context(LOCAL, ANN, STAFF)) == sender_of(Context("ipv4:127.0.0.1:1", STAFF, ANN))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Context(LOCAL, ANN), Context(LOCAL, STAFF)),
        (Context(REMOTE, KEY), Context(REMOTE, ("x-api-key", "two"))),
        (Context(REMOTE, KEY), Context(REMOTE)),
        (Context(REMOTE), Context("ipv4:192.0.2.8:40332")),
        (Context(LOCAL, passed_on(REMOTE)), Context(LOCAL, passed_on("ipv4:192.0.2.8:40332"))),
        (Context(LOCAL, passed_on(REMOTE)), Context(LOCAL)),
    ],
)
def test_calls_of_others_have_another_sender(one: Context, other: Context) -> None:
    assert sender_of(one) != sender_of(other)


def test_claimed_principals_do_not_count_from_other_machines() -> None:
    assert sender_of(Context(REMOTE, ANN)) == sender_of(Context("ipv4:192.0.2.7:1", STAFF))


def test_connections_of_one_host_have_one_sender() -> None:
    assert sender_of(Context("ipv6:%5B2001:db8::1%5D:40332")) == sender_of(Context("ipv6:%5B2001:db8::1%5D:40333"))


def test_a_call_that_this_machine_passes_on_has_the_sender_of_its_origin() -> None:
    assert sender_of(Context(LOCAL, passed_on(REMOTE))) == sender_of(Context(REMOTE))


@pytest.mark.parametrize("peer", [REMOTE, "forwarded:127.0.0.1:0", "forwarded::0", "unknown::0"])
def test_a_call_passed_on_from_elsewhere_is_a_strangers_whatever_else_it_says(peer: str) -> None:
    call = Context(LOCAL, passed_on(peer), ANN, KEY)
    assert caller_of(call) == ()
    assert is_stranger(call)


def test_a_call_passed_on_from_this_machine_is_believed() -> None:
    call = Context(LOCAL, passed_on("ipv6:[::1]:4711"), ANN)
    assert caller_of(call) == ("ann",)
    assert not is_stranger(Context(LOCAL, passed_on("ipv6:[::1]:4711")))


def test_no_other_machine_says_where_its_calls_come_from() -> None:
    call = Context(REMOTE, passed_on(LOCAL), ANN)
    assert origin_of(call) == REMOTE
    assert sender_of(call) == sender_of(Context(REMOTE))
    assert is_stranger(call)


def test_where_callers_have_credentials_nobody_says_where_calls_come_from() -> None:
    def origin() -> str:
        hold(())
        return origin_of(Context(LOCAL, passed_on(REMOTE)))

    assert copy_context().run(origin) == LOCAL


def test_a_sender_holds_no_credentials_and_is_short() -> None:
    sender = sender_of(Context(REMOTE, ("authorization", "Bearer " + 1000 * "secret")))
    assert "secret" not in sender
    assert len(sender) < 100
