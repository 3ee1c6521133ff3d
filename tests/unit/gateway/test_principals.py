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


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (Context(LOCAL, ANN, STAFF), Context("ipv4:127.0.0.1:1", STAFF, ANN), True),
        (Context(LOCAL, ANN), Context(LOCAL, STAFF), False),
        (Context(REMOTE, ANN), Context("ipv4:192.0.2.7:1", STAFF), True),  # claimed from another machine
        (Context(REMOTE, KEY), Context(REMOTE, ("x-api-key", "two")), False),
        (Context(REMOTE, KEY), Context(REMOTE), False),
        (Context(REMOTE), Context("ipv4:192.0.2.8:40332"), False),
        (Context("ipv6:%5B2001:db8::1%5D:40332"), Context("ipv6:%5B2001:db8::1%5D:40333"), True),
        (Context("ipv6:[2001:db8::1]:1"), Context("ipv6:[2001:db8::ffff]:1"), True),  # one client has all of a network
        (Context("ipv6:[2001:db8::1]:1"), Context("ipv6:[2001:db8:0:1::1]:1"), False),
        (Context("ipv6:[::ffff:192.0.2.1]:1"), Context("ipv6:[::ffff:192.0.2.2]:1"), False),
        (Context("forwarded:[2001:db8::1]:0"), Context("forwarded:[2001:db8::2]:0"), True),
        (Context("forwarded:192.0.2.1:0"), Context("forwarded:192.0.2.2:0"), False),
        (Context(LOCAL, passed_on(REMOTE)), Context(REMOTE), True),
        (Context(LOCAL, passed_on(REMOTE)), Context(LOCAL, passed_on("ipv4:192.0.2.8:40332")), False),
        (Context(LOCAL, passed_on(REMOTE)), Context(LOCAL), False),
    ],
)
def test_calls_have_one_sender_if_nothing_tells_their_callers_apart(
    one: Context, other: Context, is_same: bool
) -> None:
    assert (sender_of(one) == sender_of(other)) is is_same


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
