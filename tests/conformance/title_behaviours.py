"""What the store of sessions does with their titles over every storage."""

import asyncio
from dataclasses import replace

from gateway.store.stores import Stores
from tests.conformance.store_behaviours import addition, contents, new, stored, texts


class TitleBehaviours:
    """One test a behaviour."""

    async def test_a_title_is_read_by_all_gateways_and_stays(self, stores: Stores, other_stores: Stores) -> None:
        one, other = stores.sessions, other_stores.sessions
        await one.add(addition(new("s", "ann"), b"one"))
        assert (await stored(one)).title == ""
        assert await one.rename(await stored(one), "Größe → 大きさ")
        await other.add(addition(await stored(other), b"two"))
        (listed,) = await other.sessions(("ann",), 10)
        match = await other.turn("q-s-2")
        assert match is not None
        for session in (await stored(other), listed, match[0]):
            assert (session.title, session.first_question) == ("Größe → 大きさ", "About s")

    async def test_a_title_is_replaced_and_taken_away(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        await stores.sessions.add(addition(new("t"), b"one"))
        for title in ("First", "Second", ""):
            assert await stores.sessions.rename(await stored(stores.sessions), title)
            assert (await stored(stores.sessions)).title == title
            assert (await stored(stores.sessions, "t")).title == ""

    async def test_a_title_changes_nothing_else(self, stores: Stores) -> None:
        for hours, name in enumerate("ab"):
            await stores.sessions.add(addition(new(name, "ann", hours=hours), b"one", texts=(b"text",)))
        before = await stored(stores.sessions, "a")
        assert await stores.sessions.rename(before, "Named")
        assert await stored(stores.sessions, "a") == replace(before, title="Named")
        assert [each.session_id for each in await stores.sessions.sessions(("ann",), 10)] == ["b", "a"]
        assert await contents(stores.sessions, "a") == [b"one"]
        assert await texts(stores.sessions, before, b"text") == [b"text"]

    async def test_a_turn_that_runs_while_its_session_is_renamed_is_stored(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        early = await stored(stores.sessions)
        assert await stores.sessions.rename(early, "Named")
        await stores.sessions.add(addition(early, b"two"))
        assert await contents(stores.sessions) == [b"one", b"two"]
        assert (await stored(stores.sessions)).title == "Named"

    async def test_renaming_side_by_side_costs_no_turn(self, stores: Stores, other_stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"0"))

        async def rename() -> None:
            for number in range(20):
                await other_stores.sessions.rename(await stored(other_stores.sessions), f"Title {number}")

        async def converse() -> None:
            for number in range(1, 20):
                await stores.sessions.add(addition(await stored(stores.sessions), f"{number}".encode()))

        await asyncio.gather(rename(), converse())
        assert await contents(stores.sessions) == [f"{number}".encode() for number in range(20)]
        assert (await stored(stores.sessions)).title.startswith("Title ")

    async def test_what_changed_since_it_was_read_is_not_renamed(self, stores: Stores) -> None:
        await stores.sessions.add(addition(new(), b"one"))
        early = await stored(stores.sessions)
        await stores.sessions.add(addition(early, b"two"))
        assert not await stores.sessions.rename(early, "Late")
        later = await stored(stores.sessions)
        await stores.sessions.hide("s", 2)
        assert not await stores.sessions.rename(later, "Late")
        await stores.sessions.remove("s")
        assert not await stores.sessions.rename(later, "Late")
        await stores.sessions.add(addition(new(), b"other", b"conversation"))
        assert not await stores.sessions.rename(later, "Late")
        assert (await stored(stores.sessions)).title == ""
