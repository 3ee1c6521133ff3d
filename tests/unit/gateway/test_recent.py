"""A conversation that this process stored itself is not read again."""

from gateway.recent import RecentConversations
from libs.contracts.session import SessionContext

FIRST = SessionContext("s-1", version=1)
SECOND = SessionContext("s-2", version=1)


def test_a_kept_conversation_stands_for_the_bytes_that_it_was_stored_as() -> None:
    recent = RecentConversations()
    recent.keep(b"one", FIRST)
    assert recent.of("s-1", b"one") is FIRST


def test_bytes_that_another_gateway_stored_are_read() -> None:
    recent = RecentConversations()
    recent.keep(b"one", FIRST)
    assert recent.of("s-1", b"two") is None
    assert recent.of("s-2", b"one") is None


def test_the_newest_version_replaces_the_one_before() -> None:
    recent = RecentConversations()
    recent.keep(b"one", FIRST)
    newer = SessionContext("s-1", version=2)
    recent.keep(b"more", newer)
    assert recent.of("s-1", b"more") is newer
    assert recent.of("s-1", b"one") is None


def test_those_kept_longest_ago_make_room() -> None:
    recent = RecentConversations(most_bytes=10)
    recent.keep(b"12345678", FIRST)
    recent.keep(b"123", SECOND)
    assert recent.of("s-1", b"12345678") is None
    assert recent.of("s-2", b"123") is SECOND


def test_one_that_has_no_room_at_all_is_not_kept() -> None:
    recent = RecentConversations(most_bytes=10)
    recent.keep(b"12345678901", FIRST)
    assert recent.of("s-1", b"12345678901") is None
    recent.keep(b"123", SECOND)
    assert recent.of("s-2", b"123") is SECOND
