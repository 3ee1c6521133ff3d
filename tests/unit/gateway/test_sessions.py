"""Stored sessions as their owners see them, over a real store and a scripted corpus."""

import asyncio
from typing import Any

import pytest

from gateway.identity.caller import AUTHENTICATED
from gateway.session.context_codec import context_decode
from gateway.store.session_store import SessionStore
from gateway.store.sessions import StoredSession
from gateway.store.stores import Stores
from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.runtime.errors import Conflict, InvalidInput, NotFound
from tests.fakes.call_context import LOCAL, REMOTE
from tests.unit.gateway.stored_sessions import ANN, ScriptedCorpus, SessionCalls, converse


async def pages_of_two(call: SessionCalls, method: str, **fields: str) -> list[Any]:
    pages = [await call(method, page_size=2, **fields)]
    while token := pages[-1].next_page_token:
        pages.append(await call(method, page_size=2, page_token=token, **fields))
    return pages


class TestReading:
    async def test_sessions_come_in_pages(self, stores: Stores, call: SessionCalls) -> None:
        for number in range(5):
            await converse(stores, f"s-{number}")
        pages = await pages_of_two(call, "ListSessions")
        names = [[session.session_id for session in page.sessions] for page in pages]
        assert names == [["s-4", "s-3"], ["s-2", "s-1"], ["s-0"]]

    async def test_turns_come_in_pages_in_the_order_they_were_asked(self, stores: Stores, call: SessionCalls) -> None:
        await converse(stores, turns=5)
        pages = await pages_of_two(call, "ListTurns", session_id="s")
        assert [len(page.turns) for page in pages] == [2, 2, 1]
        turns = [(each.position, each.question, each.answer) for page in pages for each in page.turns]
        assert turns == [(n + 1, f"Question {n}?", f"Answer {n}. [1][2]") for n in range(5)]

    @pytest.mark.parametrize(
        ("method", "token"),
        [
            *(("ListSessions", token) for token in ("x", "AAAA", "MjAyNg==", "LTE=", "é", "MjAyNi0wMS0wMSBz")),
            *(("ListTurns", token) for token in ("x", "AAAA", "LTE=", "é", "MS41", "OTk5OTk5OTk5OTk5OTk5OTk5OTk=")),
        ],
    )
    async def test_a_page_token_that_no_page_gave_is_refused(
        self, stores: Stores, call: SessionCalls, method: str, token: str
    ) -> None:
        await converse(stores)
        with pytest.raises(InvalidInput) as refused:
            await call(method, page_token=token, **({"session_id": "s"} if method == "ListTurns" else {}))
        assert refused.value.violations[0].field == "page_token"


class TestOwners:
    @pytest.mark.parametrize(
        ("origin", "principals", "expected"),
        [
            (LOCAL, ANN, ["own"]),
            (LOCAL, (), ["anonymous"]),
            (REMOTE, ANN, []),  # principals are believed from this machine only
            (REMOTE, (), []),
        ],
    )
    async def test_strangers_without_principals_see_no_list(
        self, stores: Stores, call: SessionCalls, origin: str, principals: tuple[str, ...], expected: list[str]
    ) -> None:
        await converse(stores, "own")
        await converse(stores, "anonymous", principals=())
        page = await call("ListSessions", principals, origin)
        assert [session.session_id for session in page.sessions] == expected

    @pytest.mark.parametrize(("caller", "expected"), [((), []), (ANN, ["own"]), (("bob",), [])])
    async def test_where_callers_have_credentials_neither_machine_nor_header_counts(
        self, stores: Stores, call: SessionCalls, caller: tuple[str, ...], expected: list[str]
    ) -> None:
        await converse(stores, "own")

        async def served() -> list[str]:
            AUTHENTICATED.set(caller)
            return [session.session_id for session in (await call("ListSessions")).sessions]

        assert await asyncio.create_task(served()) == expected


class TestWhatIsNoLongerVisible:
    @pytest.fixture(autouse=True)
    async def closed(self, stores: Stores, corpus: ScriptedCorpus) -> None:
        await converse(stores)
        corpus.closed.add("closed")

    async def test_passages_of_a_closed_document_keep_their_ids_alone(self, call: SessionCalls) -> None:
        first, second = (reference.evidence for reference in (await call.turn("q-s-0")).references)
        assert second.passage == Passage("closed#0", "closed", "")
        assert [duplicate.passage for duplicate in first.near_duplicates] == [Passage("closed#0", "closed", "")]
        assert first.passage.text == "Words of the open one."

    async def test_neither_quotes_nor_pictures_nor_triplets_are_shown(self, call: SessionCalls) -> None:
        seen = await call.turn("q-s-0")
        assert seen.answer
        assert seen.graph
        assert seen.timeline
        told = [(span.quote, span.cells) for span in seen.answer.citations[0].references]
        assert told == [("open words", "Open!A2:B2"), ("", "")]
        assert seen.answer.images == ()
        assert [triplet.passage_id for triplet in seen.answer.triplets] == ["open#0"]
        assert seen.graph.nodes[0].source == CitedSpan(2, "closed#0")
        assert [source.quote for source in seen.timeline.events[0].sources] == ["", "open"]
        assert seen.answer.text == "Answer 0. [1][2]"

    async def test_an_event_keeps_its_picture_as_long_as_one_of_its_sources_is_open(
        self, call: SessionCalls, corpus: ScriptedCorpus
    ) -> None:
        pictures = []
        for closed in ("closed", "open"):
            corpus.closed.add(closed)
            timeline = (await call.turn("q-s-0")).timeline
            assert timeline
            pictures.append(timeline.events[0].image is not None)
        assert pictures == [True, False]

    async def test_an_export_holds_no_more(self, call: SessionCalls) -> None:
        exported = repr(context_decode((await call("ExportSession", session_id="s")).context))
        assert "closed words" not in exported
        assert "Words of the closed one" not in exported


class TestRenaming:
    @pytest.mark.parametrize(
        ("title", "expected"),
        [("  Mars,\n\tEarth\u3000 and  Venus ", "Mars, Earth and Venus"), ("Größe", "Größe"), (" \n ", ""), ("", "")],
    )
    async def test_a_title_is_one_line(self, stores: Stores, call: SessionCalls, title: str, expected: str) -> None:
        await converse(stores)
        for given in ("An earlier one", title):
            renamed = (await call("RenameSession", session_id="s", title=given)).session
        assert renamed.title == expected
        assert (await call("GetSession", session_id="s")).session.title == expected

    @pytest.mark.parametrize("principals", [ANN, ("ann", "team")], ids=["of the owner", "of others too"])
    async def test_a_turn_that_comes_between_is_seen(
        self, stores: Stores, call: SessionCalls, monkeypatch: pytest.MonkeyPatch, principals: tuple[str, ...]
    ) -> None:
        await converse(stores)
        rename, attempts = SessionStore.rename, []

        async def late_rename(self: SessionStore, session: StoredSession, title: str) -> bool:
            attempts.append(session.version)
            if len(attempts) == 1:
                await converse(stores, principals=principals)
            return await rename(self, session, title)

        monkeypatch.setattr(SessionStore, "rename", late_rename)
        if principals == ANN:
            assert (await call("RenameSession", session_id="s", title="Named")).session.turns == 2
            assert attempts == [1, 2]
        else:  # who is no longer the only owner does not rename
            with pytest.raises(NotFound):
                await call("RenameSession", session_id="s", title="Named")
        kept = (await call("GetSession", principals, session_id="s")).session
        assert kept.title == ("Named" if principals == ANN else "")


@pytest.mark.parametrize(("method", "blocked"), [("RenameSession", "rename"), ("DeleteSession", "hide")])
async def test_a_session_that_gets_turns_as_fast_as_it_is_changed_stays(
    stores: Stores, call: SessionCalls, monkeypatch: pytest.MonkeyPatch, method: str, blocked: str
) -> None:
    async def refuse(*_: object) -> bool:
        return False

    await converse(stores)
    monkeypatch.setattr(SessionStore, blocked, refuse)
    with pytest.raises(Conflict) as refused:
        await call(method, session_id="s")
    assert refused.value.reason == "SESSION_CONFLICT"
