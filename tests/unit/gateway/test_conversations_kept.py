"""A conversation is stored turn by turn; the next turn reads what it uses of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.request import TurnRequest
from gateway.session.conversation import view_after, view_of
from gateway.session.conversations import Conversations
from gateway.session.row_codec import pack_view, unpack_view
from gateway.store.stores import Stores, sqlite_stores
from libs.contracts.answers import Answer
from libs.contracts.conversation import HistoryMessage, Speaker
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.query import Decision, DecisionRecord
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.understanding import QuestionSupplement, Understanding
from libs.runtime.errors import NotFound
from tests.unit.gateway.stored_sessions import ANN, converse, turn
from tests.unit.gateway.turning import stored_turns

TEXT = st.text(alphabet="ab ?", min_size=1, max_size=400).filter(str.strip)
ASKED_BACK = Understanding(question_supplement=QuestionSupplement(True, "Which?", ("one", "two")))


@st.composite
def any_turn(draw: st.DrawFn) -> Turn:
    answer = draw(st.none() | st.builds(Answer, TEXT))
    outcome = draw(st.sampled_from((Outcome.ANSWERED, Outcome.ASKED, Outcome.CANCELLED)))
    understanding = draw(st.sampled_from((None, ASKED_BACK)))
    return Turn("q", draw(TEXT), understanding=understanding, answer=answer, outcome=outcome)


@given(
    st.lists(st.builds(HistoryMessage, st.sampled_from(Speaker), TEXT), max_size=20), st.lists(any_turn(), max_size=20)
)
def test_a_view_that_grows_by_turns_is_that_of_the_conversation(prior: list[HistoryMessage], turns: list[Turn]) -> None:
    view = view_of(SessionContext(prior=tuple(prior)))
    for each in turns:
        view = view_after(view, each)
    assert view == view_of(SessionContext(turns=tuple(turns), prior=tuple(prior)))


@given(st.lists(any_turn(), max_size=20))
def test_a_view_comes_back_from_its_bytes(turns: list[Turn]) -> None:
    view = view_of(SessionContext(turns=tuple(turns)))
    assert unpack_view(pack_view(view)) == view


def test_a_question_is_read_with_its_standalone_form() -> None:
    record = DecisionRecord(Decision.CONDENSE, "", "How heavy?", standalone="How heavy is the AX-220?")
    turns = (Turn("q-0", "What is the AX-220?"), Turn("q-1", "How heavy?", record=record))
    view = unpack_view(pack_view(view_of(SessionContext(turns=turns))))
    assert [message.standalone for message in view.messages] == ["", "How heavy is the AX-220?"]


async def test_turns_come_back_with_the_texts_of_their_passages(stores: Stores) -> None:
    await converse(stores, turns=8)
    turns = [replace(turn(number), question_id=f"q-s-{number}") for number in range(8)]
    assert await stored_turns(stores, "s") == turns
    request = TurnRequest("", session_id="s", principals=ANN)
    assert (await Conversations(stores.sessions).open(request)).view == view_of(SessionContext(turns=tuple(turns)))


async def test_a_turn_of_a_long_session_reads_as_much_as_one_of_a_short_session(stores: Stores) -> None:
    sizes = []
    for version in (150, 300):
        await converse(stores, turns=150)
        session = await stores.sessions.session("s")
        assert session is not None
        assert session.version == version
        sizes.append(len(session.view))
    assert sizes[1] < 1.2 * sizes[0]


async def test_owners_are_all_principals_that_callers_brought_along(stores: Stores) -> None:
    conversations = Conversations(stores.sessions)
    for own in (("ann",), ("ann",), ("ann", "bea"), ("bea", "ann")):
        request = TurnRequest("", session_id="s", principals=own)
        await conversations.add(await conversations.open(request), turn(0))
    session = await stores.sessions.session("s")
    assert session is not None
    assert session.principals == ("ann", "bea")
    await conversations.add(await conversations.open(TurnRequest("", session_id="of-nobody")), turn(0))
    for session_id in ("s", "of-nobody"):
        with pytest.raises(NotFound):
            await conversations.open(TurnRequest("", session_id=session_id, principals=("ann",)))


async def test_a_turn_takes_little_room(tmp_path: Path) -> None:
    """Forty turns over the same passages of 800 characters each: the texts are there once."""
    passages = [Passage(f"p-{n}", "doc", f"{n} ".join(map(str, range(300)))[:800]) for n in range(12)]
    references = tuple(Reference(number, Evidence(passage)) for number, passage in enumerate(passages, start=1))
    file = tmp_path / "own.db"
    async with sqlite_stores(file) as stores:
        await converse(stores, turns=40, references=references)
        await stores.sessions.shrink()
    assert file.stat().st_size < 40 * 6000
