"""Stored sessions as their owners see them, over a real store and a scripted corpus."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import pytest

from gateway.context_codec import SessionCodec
from gateway.conversations import Conversations
from gateway.reference_access import PassageKey, PassageLookup
from gateway.removal import SessionRemoval
from gateway.request import TurnRequest
from gateway.row_codec import RowCodec
from gateway.session_transfer import SessionTransfer
from gateway.sessions import Sessions
from gateway.store.event_log import Lease, TurnStart
from gateway.store.retries import StoredQuestion
from gateway.store.stores import Stores
from libs.contracts.answers import Answer, Citation, CitedSpan, PlacedImage, Triplet
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.dates import PartialDate, Precision
from libs.contracts.evidence import Evidence, ImageReference, NearDuplicate, Passage, Reference
from libs.contracts.query import QueryGraph, QueryNode
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.timeline import EventSource, Timeline, TimelineEvent
from libs.runtime.errors import AlreadyExists, Conflict, FailedPrecondition, InvalidInput, NotFound

ANN = ("ann",)


@dataclass
class ScriptedLookups:
    """A corpus whose documents everybody may see but those that are closed."""

    closed: set[str] = field(default_factory=set)
    passages: dict[str, Passage] = field(default_factory=dict)
    """As they are by now, by id."""

    async def look_up(
        self, keys: Sequence[PassageKey], principals: Sequence[str], *, content: bool
    ) -> Mapping[PassageKey, PassageLookup]:
        return {
            key: PassageLookup(
                key.document_id not in self.closed, self.passages.get(key.passage_id) if content else None
            )
            for key in keys
        }


def turn(number: int) -> Turn:
    """A turn whose answer cites an open and a closed document in every way there is."""
    open_passage = Passage("open#0", "open", "Words of the open one.", title="Open")
    closed_passage = Passage("closed#0", "closed", "Words of the closed one.", title="Closed")
    spans = (CitedSpan(1, "open#0", quote="open words"), CitedSpan(2, "closed#0", quote="closed words"))
    picture = ImageReference("closed/0", "A closed picture")
    sources = (EventSource("closed#0", "closed", quote="closed words"), EventSource("open#0", "open", quote="open"))
    return Turn(
        f"q-{number}",
        f"Question {number}?",
        graph=QueryGraph((QueryNode("n1", "?", answer="x", source=spans[1]),)),
        references=(
            Reference(1, Evidence(open_passage, near_duplicates=(NearDuplicate(closed_passage, 0.9),))),
            Reference(2, Evidence(closed_passage)),
        ),
        answer=Answer(
            f"Answer {number}. [1][2]",
            citations=(Citation(1, spans),),
            images=(PlacedImage(1, picture, "closed", 0.5),),
            triplets=(Triplet("a", "is", "b", "closed#0"), Triplet("a", "is", "c", "open#0")),
        ),
        timeline=Timeline((TimelineEvent("e", "It was.", PartialDate(2000), Precision.YEAR, sources=sources),)),
        outcome=Outcome.ANSWERED,
    )


@pytest.fixture
def lookups() -> ScriptedLookups:
    return ScriptedLookups()


@pytest.fixture
def sessions(stores: Stores, lookups: ScriptedLookups) -> Sessions:
    removal = SessionRemoval(stores.sessions, stores.session_data)
    return Sessions(stores.sessions, RowCodec(), lookups, removal)


@pytest.fixture
def transfer(sessions: Sessions) -> SessionTransfer:
    return SessionTransfer(sessions, SessionCodec(), RowCodec())


async def converse(stores: Stores, session_id: str = "s", turns: int = 1, principals: tuple[str, ...] = ANN) -> None:
    conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
    for number in range(turns):
        conversation = await conversations.open(TurnRequest("", session_id=session_id, principals=principals))
        own = replace(turn(number), question_id=f"q-{session_id}-{number}")
        await conversations.add(conversation, own)


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
        digests = [
            digest
            for row in await stores.sessions.turns(await sessions.session("s", ANN), 1, 3)
            for digest in row.digests
        ]
        await sessions.delete("s", ANN)
        with pytest.raises(NotFound):
            await sessions.session("s", ANN)
        with pytest.raises(NotFound):
            await sessions.turn("q-s-1", ANN, new_content=False)
        assert await stores.sessions.texts(digests) == {}
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


class TestTransfer:
    async def test_an_import_of_an_export_is_the_same_conversation_with_ids_of_its_own(
        self, stores: Stores, sessions: Sessions, transfer: SessionTransfer
    ) -> None:
        await converse(stores, turns=3)
        exported = await transfer.export_session("s", ANN, texts=True)
        assert exported.turns == 3
        session = await transfer.import_session(exported.context, "", ("bea",))
        assert session.session_id.startswith("s-")
        assert (session.version, session.first_question) == (3, "Question 0?")
        assert (await sessions.session(session.session_id, ("bea",))).version == 3
        page = await sessions.turns(session.session_id, ("bea",), 10, "")
        assert not {summary.turn_id for summary in page.turns} & {f"q-s-{number}" for number in range(3)}
        place = await sessions.turn(page.turns[2].turn_id, ("bea",), new_content=False)
        assert replace(place.turn, question_id="q-2") == turn(2)

    async def test_an_import_has_no_title(self, stores: Stores, sessions: Sessions, transfer: SessionTransfer) -> None:
        await converse(stores)
        await sessions.rename("s", ANN, "Named")
        exported = await transfer.export_session("s", ANN, texts=True)
        assert (await transfer.import_session(exported.context, "copy", ANN)).title == ""
        assert (await sessions.session("copy", ANN)).title == ""

    async def test_the_next_question_follows_up(self, stores: Stores, transfer: SessionTransfer) -> None:
        await converse(stores, turns=8)
        exported = await transfer.export_session("s", ANN, texts=False)
        session = await transfer.import_session(exported.context, "copy", ANN)
        conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
        first, second = [
            (await conversations.open(TurnRequest("", session_id=name, principals=ANN))).view for name in ("s", "copy")
        ]
        assert first == second
        assert session.session_id == "copy"

    async def test_without_texts_it_is_smaller(self, stores: Stores, transfer: SessionTransfer) -> None:
        await converse(stores, turns=3)
        contexts = [(await transfer.export_session("s", ANN, texts=texts)).context for texts in (True, False)]
        assert len(contexts[1]) < len(contexts[0])
        assert "Words" not in repr(SessionCodec().decode(contexts[1]))

    async def test_an_export_may_be_sent_with_a_question(self, stores: Stores, transfer: SessionTransfer) -> None:
        await converse(stores, turns=2)
        exported = await transfer.export_session("s", ANN, texts=True)
        conversations = Conversations(stores.sessions, SessionCodec(), RowCodec())
        conversation = await conversations.open(TurnRequest("And?", context=exported.context))
        assert len(conversation.view.messages) == 4

    async def test_messages_of_a_plain_history_become_turns(
        self, sessions: Sessions, transfer: SessionTransfer
    ) -> None:
        prior = (
            HistoryMessage(Speaker.USER, "Tell me of Viking 1."),
            HistoryMessage(Speaker.AGENT, "A lander."),
            HistoryMessage(Speaker.USER, "When?"),
        )
        context = SessionCodec().encode(SessionContext(prior=prior, turns=(turn(0),)))
        await transfer.import_session(context, "s", ANN)
        page = await sessions.turns("s", ANN, 10, "")
        assert [(summary.question, summary.answer) for summary in page.turns] == [
            ("Tell me of Viking 1.", "A lander."),
            ("When?", ""),
            ("Question 0?", "Answer 0. [1][2]"),
        ]

    async def test_an_id_that_is_taken_is_refused_whoever_has_it(
        self, stores: Stores, transfer: SessionTransfer
    ) -> None:
        await converse(stores)
        context = SessionCodec().encode(SessionContext(turns=(turn(0),)))
        for principals in (ANN, ("bob",)):
            with pytest.raises(AlreadyExists) as refused:
                await transfer.import_session(context, "s", principals)
            assert refused.value.reason == "SESSION_ALREADY_EXISTS"

    async def test_a_context_without_turns_or_that_is_broken_is_refused(self, transfer: SessionTransfer) -> None:
        for context in (SessionCodec().encode(SessionContext()), "UAEAAAAA", "x"):
            with pytest.raises(InvalidInput) as refused:
                await transfer.import_session(context, "", ANN)
            assert refused.value.violations[0].field == "context"

    async def test_owners_inside_a_context_count_for_nothing(
        self, sessions: Sessions, transfer: SessionTransfer
    ) -> None:
        context = SessionCodec().encode(SessionContext("other", (turn(0),), principals=("root",), version=7))
        session = await transfer.import_session(context, "", ANN)
        assert (session.principals, session.version) == (ANN, 1)

    async def test_a_context_that_would_be_too_large_is_refused(
        self, stores: Stores, transfer: SessionTransfer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("gateway.session_transfer.MAX_CONTEXT_BYTES", 100)
        await converse(stores)
        with pytest.raises(FailedPrecondition) as refused:
            await transfer.export_session("s", ANN, texts=True)
        assert refused.value.reason == "MESSAGE_TOO_LARGE"
