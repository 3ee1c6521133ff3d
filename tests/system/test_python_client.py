"""The Python client against a running suite: what a stranger's first script does."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.suite import RunningSuite
from parley.client import (
    AsyncParley,
    Document,
    Parley,
    UnreadableFileError,
)
from parley.client.errors import InvalidArgumentError, NotFoundError
from parley.client.events import CompletedEvent

pytestmark = pytest.mark.xdist_group("suite")

QUESTION = "When did Apollo 11 land on the Moon?"


@pytest.fixture
def parley(suite: RunningSuite) -> Iterator[Parley]:
    with Parley(suite.address) as client:
        yield client


def test_a_conversation_remembers(parley: Parley) -> None:
    conversation = parley.conversation()
    conversation.ask(QUESTION).answer()
    follow_up = conversation.ask("Who commanded it?").answer()
    assert "Apollo 11" in follow_up.standalone_question
    assert "Armstrong" in follow_up.text
    assert [turn.question for turn in conversation.turns()] == [QUESTION, "Who commanded it?"]
    assert conversation.session_id in {session.session_id for session in parley.sessions()}
    named = parley.rename_session(conversation.session_id, " The first\nlanding ")
    assert (named.title, named.first_question, named.turns) == ("The first landing", QUESTION, 2)
    assert named in list(parley.sessions())
    with pytest.raises(InvalidArgumentError, match="title"):
        parley.rename_session(conversation.session_id, "t" * 201)
    context = parley.export_session(conversation.session_id)
    parley.delete_session(conversation.session_id)
    with pytest.raises(NotFoundError):
        list(conversation.turns())
    with pytest.raises(NotFoundError):
        parley.rename_session(conversation.session_id, "Gone")
    again = parley.import_session(context)
    assert (again.turns, again.title, again.first_question) == (2, "", QUESTION)
    assert parley.ask("Who commanded it?", context=context).answer().context


def test_documents_are_stored_searched_and_deleted(parley: Parley, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deep").mkdir(parents=True)
    (folder / "fox.md").write_text("# Fox\n\nThe lander Fox set down on Ceres on 3 March 2031.\n")
    (folder / "deep" / "hare.txt").write_text("The orbiter Hare photographed Fox on Ceres.")
    (folder / "picture.bin").write_bytes(b"\x00")
    receipts = [receipt for receipt in parley.ingest([folder], collection="client") if receipt.is_final]
    assert [(each.document_id, each.status) for each in receipts] == [
        ("notes/deep/hare.txt", "added"),
        ("notes/fox.md", "added"),
    ]
    assert parley.put_bytes("owl.txt", b"Owl orbits Vesta.", collection="client").status == "added"
    found = parley.search("When did Fox land?", collection="client")
    assert found[0].document_id == "notes/fox.md"
    assert found[0].score > 0 == parley.passage(found[0].passage_id, collection="client").score
    assert list(found) == sorted(found, key=lambda passage: -passage.score)
    assert "3 March 2031" in parley.ask("When did Fox land on Ceres?", collection="client").answer().text
    assert len(list(parley.documents(collection="client"))) == 3
    assert "client" in {collection.name for collection in parley.collections()}
    assert parley.document("owl.txt", collection="client").text == "Owl orbits Vesta."
    parley.delete_document("owl.txt", collection="client")
    with pytest.raises(NotFoundError) as error:
        parley.document("owl.txt", collection="client")
    assert error.value.reason == "DOCUMENT_NOT_FOUND"
    parley.delete_collection("client")


def test_a_file_that_is_no_text_is_named(parley: Parley, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.7")
    receipts = parley.ingest([Document(document_id="first", text="First."), tmp_path / "report.pdf"], collection="pdf")
    assert next(receipts).status == "added"
    with pytest.raises(UnreadableFileError, match=r"report\.pdf"):
        next(receipts)


def test_a_timeline_has_dates_in_order(parley: Parley) -> None:
    timeline = parley.timeline("Give me a timeline of Apollo 11.")
    assert timeline is not None
    days = [event.start.first_day for event in timeline.events]
    assert len(days) > 1
    assert days == sorted(days, key=str)
    assert all(event.quotes for event in timeline.events)
    assert "<table>" in timeline._repr_html_()


def test_the_same_for_an_event_loop(suite: RunningSuite, tmp_path: Path) -> None:
    (tmp_path / "kite.md").write_text("Kite left Ceres on 9 April 2033.")

    async def use() -> None:
        async with AsyncParley(suite.address) as parley:
            conversation = parley.conversation()
            answer = await conversation.ask(QUESTION)
            assert "20 July 1969" in answer.text
            kinds = [type(event) async for event in conversation.ask("Who commanded it?")]
            assert kinds[-1] is CompletedEvent
            assert [turn.position async for turn in conversation.turns()] == [1, 2]
            assert (await parley.rename_session(conversation.session_id, "Landings")).title == "Landings"
            titles = {each.session_id: each.title async for each in parley.sessions()}
            assert titles[conversation.session_id] == "Landings"
            statuses = [each.status async for each in parley.ingest([tmp_path / "kite.md"], collection="loop")]
            assert statuses == ["added"]
            assert (await parley.search("Kite", collection="loop"))[0].document_id == "kite.md"
            assert [each.document_id async for each in parley.documents(collection="loop")] == ["kite.md"]
            async with parley.ask(QUESTION) as turn:
                first = await anext(aiter(turn))
            assert await parley.cancel(first.turn_id) in ("cancelled", "completed")
            with pytest.raises(NotFoundError):
                await parley.document("nothing")

    asyncio.run(use())


PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


PRINTED = [
    r"25 May 2008.* answered\nverified",
    r"25 May 2008.*\n.*Spirit",
    "25 May 2008",
    r"fox\.md added 1\nhare added 1\nnotes/fox\.md .*2031",
    r"DOCUMENT_NOT_FOUND\n\[\('question', ",
]


@pytest.mark.parametrize(("example", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)), ids=range(len(PRINTED)))
def test_the_examples_of_the_page_run(suite: RunningSuite, tmp_path: Path, example: str, printed: str) -> None:
    code = example.replace("127.0.0.1:50051", suite.address)
    command = [sys.executable, "-W", "error", "-c", code]
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert process.returncode == 0, process.stderr
    assert re.search(printed, process.stdout, re.DOTALL), process.stdout
