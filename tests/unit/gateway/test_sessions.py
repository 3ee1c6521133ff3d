"""Stored sessions as their owners see them, over a real store and a scripted corpus."""

import time
from dataclasses import replace
from itertools import chain

import pytest

from gateway.request import TurnRequest
from gateway.session.context_codec import SessionCodec
from gateway.session.conversations import Conversations
from gateway.session.row_codec import RowCodec
from gateway.session.session_transfer import SessionTransfer
from gateway.session.sessions import Sessions
from gateway.store.logged_turns import Lease, TurnStart
from gateway.store.retries import StoredQuestion
from gateway.store.stores import Stores
from libs.contracts.answers import CitedSpan
from libs.contracts.evidence import Passage
from libs.runtime.errors import Conflict, InvalidInput, NotFound
from tests.unit.gateway.stored_sessions import ANN, ScriptedLookups, converse, turn


class TestReading:
    async def test_a_session_is_listed_with_its_first_question_and_number_of_turns(
        self, stores: Stores, sessions: Sessions
    ) -> None:
        await converse(stores, turns=3)
        page = await sessions.page(ANN, 10, "")
        listed = [(each.session_id, each.title, each.first_question, each.version) for each in page.sessions]
        assert listed == [("s", "", "Question 0?", 3)]
        assert page.next_page_token == ""
        assert (await sessions.session("s", ANN)).version == 3

    async def test_sessions_come_in_pages(self, stores: Stores, sessions: Sessions) -> None:
        for number in range(5):
            await converse(stores, f"s-{number}")
        names, token = [], ""
        for expected_count in (2, 2, 1):
            page = await sessions.page(ANN, 2, token)
            assert len(page.sessions) == expected_count
            names += [session.session_id for session in page.sessions]
            token = page.next_page_token
        assert names == [f"s-{number}" for number in reversed(range(5))]
        assert token == ""

    async def test_turns_come_in_pages_in_the_order_of_the_conversation(
        self, stores: Stores, sessions: Sessions
    ) -> None:
        await converse(stores, turns=5)
        pages, token = [], ""
        for _ in range(3):
            page = await sessions.turns("s", ANN, 2, token)
            pages.append([(summary.position, summary.question, summary.answer) for summary in page.turns])
            token = page.next_page_token
        assert [len(page) for page in pages] == [2, 2, 1]
        assert list(chain.from_iterable(pages)) == [(n + 1, f"Question {n}?", f"Answer {n}. [1][2]") for n in range(5)]
        assert token == ""

    @pytest.mark.parametrize("token", ["x", "AAAA", "MjAyNg==", "LTE=", "é", "MjAyNi0wMS0wMSBz"])
    async def test_a_page_token_that_no_page_gave_is_refused(
        self, stores: Stores, sessions: Sessions, token: str
    ) -> None:
        await converse(stores)
        with pytest.raises(InvalidInput) as refused:
            await sessions.page(ANN, 2, token)
        assert refused.value.violations[0].field == "page_token"

    @pytest.mark.parametrize("token", ["x", "AAAA", "LTE=", "é", "MS41", "OTk5OTk5OTk5OTk5OTk5OTk5OTk="])
    async def test_the_same_holds_for_turns(self, stores: Stores, sessions: Sessions, token: str) -> None:
        await converse(stores)
        with pytest.raises(InvalidInput):
            await sessions.turns("s", ANN, 2, token)

    async def test_a_turn_comes_with_everything_that_came_of_it(self, stores: Stores, sessions: Sessions) -> None:
        await converse(stores, turns=2)
        place = await sessions.turn("q-s-1", ANN, new_content=False)
        assert (place.session_id, place.position) == ("s", 2)
        assert place.turn == replace(turn(1), question_id="q-s-1")

    @pytest.mark.parametrize("others", [(), ("bob",), ("ann ",)])
    async def test_a_session_of_others_is_not_found_in_any_way(
        self, stores: Stores, sessions: Sessions, transfer: SessionTransfer, others: tuple[str, ...]
    ) -> None:
        await converse(stores)
        assert (await sessions.page(others, 10, "")).sessions == ()
        for session_id in ("s", "none"):
            for call in (
                sessions.session(session_id, others),
                sessions.turns(session_id, others, 10, ""),
                sessions.rename(session_id, others, "Mine"),
                sessions.delete(session_id, others),
                transfer.export_session(session_id, others, texts=True),
            ):
                with pytest.raises(NotFound) as missing:
                    await call
                assert (missing.value.reason, missing.value.message) == (
                    "SESSION_NOT_FOUND",
                    f"There is no session '{session_id}'.",
                )
        for turn_id in ("q-s-0", "q-none"):
            with pytest.raises(NotFound) as missing:
                await sessions.turn(turn_id, others, new_content=False)
            assert missing.value.reason == "TURN_NOT_FOUND"
        kept = await sessions.session("s", ("ann", "team"))
        assert (kept.session_id, kept.title) == ("s", "")


class TestWhatIsNoLongerVisible:
    @pytest.fixture(autouse=True)
    async def closed(self, stores: Stores, lookups: ScriptedLookups) -> None:
        await converse(stores)
        lookups.closed.add("closed")

    async def test_passages_of_a_closed_document_keep_their_ids_alone(self, sessions: Sessions) -> None:
        seen = (await sessions.turn("q-s-0", ANN, new_content=False)).turn
        first, second = (reference.evidence for reference in seen.references)
        assert second.passage == Passage("closed#0", "closed", "")
        assert [duplicate.passage for duplicate in first.near_duplicates] == [Passage("closed#0", "closed", "")]
        assert first.passage.text == "Words of the open one."

    async def test_neither_quotes_nor_pictures_nor_triplets_are_shown(self, sessions: Sessions) -> None:
        seen = (await sessions.turn("q-s-0", ANN, new_content=False)).turn
        assert seen.answer
        assert seen.graph
        assert seen.timeline
        assert [span.quote for span in seen.answer.citations[0].references] == ["open words", ""]
        assert seen.answer.images == ()
        assert [triplet.passage_id for triplet in seen.answer.triplets] == ["open#0"]
        assert seen.graph.nodes[0].source == CitedSpan(2, "closed#0")
        assert [source.quote for source in seen.timeline.events[0].sources] == ["", "open"]
        assert seen.answer.text == "Answer 0. [1][2]"

    async def test_an_export_holds_no_more(self, transfer: SessionTransfer) -> None:
        exported = await transfer.export_session("s", ANN, texts=True)
        assert "closed words" not in repr(SessionCodec().decode(exported.context))
        assert "Words of the closed one" not in repr(SessionCodec().decode(exported.context))

    async def test_new_content_is_what_the_corpus_says_by_now(
        self, sessions: Sessions, lookups: ScriptedLookups
    ) -> None:
        lookups.closed.clear()
        lookups.passages["open#0"] = Passage("open#0", "open", "New words.", title="Open, revised")
        seen = (await sessions.turn("q-s-0", ANN, new_content=True)).turn
        passages = [reference.evidence.passage for reference in seen.references]
        assert passages == [lookups.passages["open#0"], Passage("closed#0", "closed", "", title="Closed")]


class TestDeleting:
    async def test_nothing_is_left(self, stores: Stores, sessions: Sessions) -> None:
        await converse(stores, turns=3)
        await stores.retries.put_question(StoredQuestion("q-1", "key", "mark", b"pending", "s"))
        await stores.events.begin(TurnStart("q-2", b"request", "s"), Lease("gateway", time.time() + 60))
        session = await sessions.session("s", ANN)
        digests = [digest for row in await stores.sessions.turns(session, 1, 3) for digest in row.digests]
        await sessions.delete("s", ANN)
        with pytest.raises(NotFound):
            await sessions.session("s", ANN)
        with pytest.raises(NotFound):
            await sessions.turn("q-s-1", ANN, new_content=False)
        assert await stores.sessions.texts(session, digests) == {}
        assert await stores.retries.question("q-1") is None
        assert await stores.events.turn("q-2") is None

    async def test_a_turn_that_runs_meanwhile_loses(self, stores: Stores, sessions: Sessions) -> None:
        await converse(stores)
        conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
        conversation = await conversations.open(TurnRequest("", session_id="s", principals=ANN))
        await sessions.delete("s", ANN)
        with pytest.raises(Conflict):
            await conversations.add(conversation, turn(1))
        assert await stores.sessions.session("s") is None

    async def test_an_interrupted_removal_can_be_finished(self, stores: Stores, sessions: Sessions) -> None:
        await converse(stores)
        await stores.sessions.hide("s", 1)
        await sessions.removal.finish(await stores.sessions.hidden(10))
        assert await stores.sessions.hidden(10) == []
        await converse(stores)  # the id is free again
