"""A conversation is stored turn by turn; the next turn reads what it uses of it."""

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
from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.contracts.evidence import Evidence, NearDuplicate, Passage, Reference
from libs.contracts.session import Outcome, SessionContext, Turn
from libs.contracts.understanding import QuestionSupplement, Understanding
from libs.runtime.errors import NotFound
from tests.unit.gateway.turning import stored_turns

TEXT = st.text(alphabet="ab ?", min_size=1, max_size=400).filter(str.strip)
ASKED_BACK = Understanding(question_supplement=QuestionSupplement(True, "Which?", ("one", "two")))


def reference(number: int, text: str, duplicate: str = "") -> Reference:
    duplicates = (NearDuplicate(Passage(f"d-{number}", "doc", duplicate), 0.9),) if duplicate else ()
    return Reference(number, Evidence(Passage(f"p-{number}", "doc", text), near_duplicates=duplicates))


def turn(number: int, *references: Reference) -> Turn:
    return Turn(f"q-{number}", f"Question {number}?", references=references, answer=Answer(f"Answer {number}."))


@st.composite
def any_turn(draw: st.DrawFn) -> Turn:
    answer = draw(st.none() | st.builds(Answer, TEXT))
    outcome = draw(st.sampled_from((Outcome.ANSWERED, Outcome.ASKED, Outcome.CANCELLED)))
    understanding = draw(st.sampled_from((None, ASKED_BACK)))
    return Turn("q", draw(TEXT), understanding=understanding, answer=answer, outcome=outcome)


@given(
    st.lists(st.builds(HistoryMessage, st.sampled_from(Speaker), TEXT), max_size=20), st.lists(any_turn(), max_size=20)
)
def test_a_view_that_grows_turn_by_turn_is_the_view_of_the_whole_conversation(
    prior: list[HistoryMessage], turns: list[Turn]
) -> None:
    view = view_of(SessionContext(prior=tuple(prior)))
    for each in turns:
        view = view_after(view, each)
    assert view == view_of(SessionContext(turns=tuple(turns), prior=tuple(prior)))


@given(st.lists(any_turn(), max_size=20))
def test_a_view_comes_back_from_its_bytes(turns: list[Turn]) -> None:
    view = view_of(SessionContext(turns=tuple(turns)))
    assert unpack_view(pack_view(view)) == view


async def converse(stores: Stores, count: int, *references: Reference) -> ConversationView:
    conversations = Conversations(stores.sessions)
    request = TurnRequest("", session_id="s", principals=("ann",))
    for number in range(count):
        await conversations.add(await conversations.open(request), turn(number, *references))
    return (await conversations.open(request)).view


async def test_turns_come_back_with_the_texts_of_their_passages(stores: Stores) -> None:
    references = reference(1, "One.", duplicate="The same."), reference(2, "Two."), reference(3, "One.")
    view = await converse(stores, 8, *references)
    turns = [turn(number, *references) for number in range(8)]
    assert await stored_turns(stores, "s") == turns
    assert view == view_of(SessionContext(turns=tuple(turns)))


async def test_a_session_has_its_first_question_owners_and_times(stores: Stores) -> None:
    await converse(stores, 3)
    session = await stores.sessions.session("s")
    assert session is not None
    assert (session.first_question, session.principals, session.version) == ("Question 0?", ("ann",), 3)
    assert session.title == ""
    assert session.created <= session.updated


async def test_a_turn_of_a_long_session_reads_as_much_as_one_of_a_short_session(stores: Stores) -> None:
    sizes = []
    for version in (150, 300):
        await converse(stores, 150)
        session = await stores.sessions.session("s")
        assert session is not None
        assert session.version == version
        sizes.append(len(session.view))
    assert sizes[1] < 1.2 * sizes[0]


async def test_further_principals_of_a_caller_become_owners(stores: Stores) -> None:
    conversations = Conversations(stores.sessions)
    for own in (("ann",), ("ann",), ("ann", "bea"), ("bea", "ann")):
        request = TurnRequest("", session_id="s", principals=own)
        await conversations.add(await conversations.open(request), turn(0))
    session = await stores.sessions.session("s")
    assert session is not None
    assert session.principals == ("ann", "bea")
    with pytest.raises(NotFound):
        await conversations.open(TurnRequest("", session_id="s", principals=("ann",)))


async def test_a_session_of_callers_without_principals_is_not_for_those_with_some(stores: Stores) -> None:
    conversations = Conversations(stores.sessions)
    await conversations.add(await conversations.open(TurnRequest("", session_id="s")), turn(0))
    with pytest.raises(NotFound):
        await conversations.open(TurnRequest("", session_id="s", principals=("ann",)))


async def test_a_turn_takes_little_room(tmp_path: Path) -> None:
    """Forty turns over the same passages of 800 characters each: the texts are there once."""
    passages = [reference(number, f"{number} ".join(map(str, range(300)))[:800]) for number in range(12)]
    file = tmp_path / "own.db"
    async with sqlite_stores(file, 60) as stores:
        await converse(stores, 40, *passages)
        await stores.sessions.shrink()
    assert file.stat().st_size < 40 * 6000
