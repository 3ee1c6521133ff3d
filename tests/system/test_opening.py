"""What an answer cites is opened from the command line; what a collection holds is listed, and deleted."""

from pathlib import Path

import grpc
import pytest

from libs.runtime.status import error_from_rpc
from parley.context.v1 import evidence_pb2
from parley.gateway.v1 import gateway_pb2
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import Door, parley

pytestmark = pytest.mark.xdist_group("suite")

HANDBOOK = """# Handbook

Everybody reads it once.

## Travel

Book trains by the form T7. Flights need the consent of your lead.

## Sick leave

Tell your lead by ten in the morning. A note from a doctor is due on the fourth day.

- by phone
- by mail
"""


@pytest.fixture
def handbook(door: Door, tmp_path: Path) -> str:
    """A collection of one document, which only ann may see."""
    (tmp_path / "handbook.md").write_text(HANDBOOK)
    process = parley(
        door.port,
        "ingest",
        str(tmp_path / "handbook.md"),
        "--collection",
        "opened",
        "--principal",
        "ann",
        "--root",
        "h.md",
    )
    assert process.returncode == 0, process.stderr
    return "opened"


def asked(door: Door, session: str, collection: str) -> list[evidence_pb2.Passage]:
    """The passages that number 1 of an answer stands for."""
    request = gateway_pb2.AskRequest(question="When is a note from a doctor due?", session_id=session)
    request.options.collection = collection
    ann = (("x-parley-principal", "ann"),)
    events = [response.event for response in door.gateway.Ask(request, timeout=30, metadata=ann)]
    references = [event.references.references for event in events if event.WhichOneof("event") == "references"][-1]
    return [reference.evidence.passage for reference in references if reference.number == 1]


def test_a_number_of_the_latest_answer_opens_its_section(door: Door, handbook: str) -> None:
    passages = asked(door, "opening", handbook)
    process = parley(door.port, "show", "1", "--session", "opening", "--principal", "ann")
    assert process.returncode == 0, process.stderr
    place, details, _, *lines = process.stdout.splitlines()
    assert place.endswith("Handbook > Sick leave")
    assert details.startswith(passages[0].passage_id)
    highlights = [line.removeprefix("┃ ") for line in lines if line.startswith("┃")]
    assert any("due on the fourth day" in line for line in highlights)
    assert not any("T7" in line for line in lines)  # of another section


def test_what_others_may_not_see_they_cannot_open(door: Door, handbook: str) -> None:
    passages = asked(door, "closed", handbook)
    by_number = parley(door.port, "show", "1", "--session", "closed")
    by_id = parley(door.port, "show", passages[0].passage_id, "--collection", handbook)
    assert (by_number.returncode, by_id.returncode) == (1, 1)
    assert by_number.stderr == "There is no session 'closed' (SESSION_NOT_FOUND).\n"
    assert by_id.stderr == f"There is no collection {handbook!r} (COLLECTION_NOT_FOUND).\n"
    assert "doctor" not in by_number.stdout + by_id.stdout


def test_a_collection_is_listed_and_deleted(door: Door, handbook: str) -> None:
    lines = parley(door.port, "documents", "--collection", handbook, "--principal", "ann").stdout.splitlines()
    name, title, _, passages, characters = lines[1].split("\t")
    assert (len(lines), name, title) == (2, "h.md", "Handbook")
    assert int(passages) >= 1
    assert len(HANDBOOK) - 20 <= int(characters) <= len(HANDBOOK)
    assert "COLLECTION_NOT_FOUND" in parley(door.port, "documents", "--collection", handbook).stderr
    assert parley(door.port, "collections", "--delete", handbook, "--yes").returncode == 1
    assert parley(door.port, "collections", "--delete", handbook, "--yes", "--principal", "ann").returncode == 0
    search = corpus_pb2.SearchRequest(query="note from a doctor")
    search.options.collection = handbook
    with pytest.raises(grpc.RpcError) as error:
        door.corpus.Search(search)
    assert error_from_rpc(error.value).reason == "COLLECTION_NOT_FOUND"
