"""Whose call it is."""

import pytest

from gateway.principals import sender_of

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


def test_calls_of_the_same_principals_have_one_sender() -> None:
    assert sender_of(Context(LOCAL, ANN, STAFF)) == sender_of(Context("ipv4:127.0.0.1:1", STAFF, ANN))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Context(LOCAL, ANN), Context(LOCAL, STAFF)),
        (Context(REMOTE, KEY), Context(REMOTE, ("x-api-key", "two"))),
        (Context(REMOTE, KEY), Context(REMOTE)),
        (Context(REMOTE), Context("ipv4:192.0.2.8:40332")),
    ],
)
def test_calls_of_others_have_another_sender(one: Context, other: Context) -> None:
    assert sender_of(one) != sender_of(other)


def test_claimed_principals_do_not_count_from_other_machines() -> None:
    assert sender_of(Context(REMOTE, ANN)) == sender_of(Context("ipv4:192.0.2.7:1", STAFF))


def test_connections_of_one_host_have_one_sender() -> None:
    assert sender_of(Context("ipv6:%5B2001:db8::1%5D:40332")) == sender_of(Context("ipv6:%5B2001:db8::1%5D:40333"))
