"""Whose call it is."""

from contextvars import copy_context

import pytest

from gateway.access.principals import caller_of, is_stranger, origin_of, sender_of
from gateway.identity.caller import AUTHENTICATED
from tests.fakes.call_context import LOCAL, REMOTE, CallContext


def call(origin: str, *metadata: tuple[str, str]) -> CallContext:
    return CallContext(origin, metadata)


ANN = ("x-parley-principal", "ann")
STAFF = ("x-parley-principal", "staff")
KEY = ("x-api-key", "one")


def passed_on(peer: str) -> tuple[str, str]:
    return "x-parley-peer", peer


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (call(LOCAL, ANN, STAFF), call("ipv4:127.0.0.1:1", STAFF, ANN), True),
        (call(LOCAL, ANN), call(LOCAL, STAFF), False),
        (call(REMOTE, ANN), call("ipv4:192.0.2.7:1", STAFF), True),  # claimed from another machine
        (call(REMOTE, KEY), call(REMOTE, ("x-api-key", "two")), False),
        (call(REMOTE, KEY), call(REMOTE), False),
        (call(REMOTE), call("ipv4:192.0.2.8:40332"), False),
        (call("ipv6:%5B2001:db8::1%5D:40332"), call("ipv6:%5B2001:db8::1%5D:40333"), True),
        (call("ipv6:[2001:db8::1]:1"), call("ipv6:[2001:db8::ffff]:1"), True),  # one client has all of a network
        (call("ipv6:[2001:db8::1]:1"), call("ipv6:[2001:db8:0:1::1]:1"), False),
        (call("ipv6:[::ffff:192.0.2.1]:1"), call("ipv6:[::ffff:192.0.2.2]:1"), False),
        (call("forwarded:[2001:db8::1]:0"), call("forwarded:[2001:db8::2]:0"), True),
        (call("forwarded:192.0.2.1:0"), call("forwarded:192.0.2.2:0"), False),
        (call(LOCAL, passed_on(REMOTE)), call(REMOTE), True),
        (call(LOCAL, passed_on(REMOTE)), call(LOCAL, passed_on("ipv4:192.0.2.8:40332")), False),
        (call(LOCAL, passed_on(REMOTE)), call(LOCAL), False),
    ],
)
def test_calls_have_one_sender_unless_told_apart(one: CallContext, other: CallContext, is_same: bool) -> None:
    assert (sender_of(one) == sender_of(other)) is is_same


@pytest.mark.parametrize("peer", [REMOTE, "forwarded:127.0.0.1:0", "forwarded::0", "unknown::0"])
def test_a_call_passed_on_from_elsewhere_is_a_strangers_whatever_else_it_says(peer: str) -> None:
    passed = call(LOCAL, passed_on(peer), ANN, KEY)
    assert caller_of(passed) == ()
    assert is_stranger(passed)


def test_a_call_passed_on_from_this_machine_is_believed() -> None:
    passed = call(LOCAL, passed_on("ipv6:[::1]:4711"), ANN)
    assert caller_of(passed) == ("ann",)
    assert not is_stranger(call(LOCAL, passed_on("ipv6:[::1]:4711")))


def test_no_other_machine_says_where_its_calls_come_from() -> None:
    passed = call(REMOTE, passed_on(LOCAL), ANN)
    assert origin_of(passed) == REMOTE
    assert sender_of(passed) == sender_of(call(REMOTE))
    assert is_stranger(passed)


def test_where_callers_have_credentials_nobody_says_where_calls_come_from() -> None:
    def origin() -> str:
        AUTHENTICATED.set(())
        return origin_of(call(LOCAL, passed_on(REMOTE)))

    assert copy_context().run(origin) == LOCAL


def test_a_sender_holds_no_credentials_and_is_short() -> None:
    sender = sender_of(call(REMOTE, ("authorization", "Bearer " + 1000 * "secret")))
    assert "secret" not in sender
    assert len(sender) < 100
