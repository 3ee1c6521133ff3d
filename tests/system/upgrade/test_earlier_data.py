"""A data folder that the previous release wrote: this release goes on with it, and the copy from before leads back."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, environment_of, free_ports, parley_of, running_suite
from cli.backup import backup
from parley.gateway.v1 import session_pb2, session_pb2_grpc
from parley.retrieve.v1 import corpus_pb2
from tests.system.door import NOTES, Door, last, one, parley

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("upgrade")]

SESSION = "begun-earlier"
QUESTION = "When did Phoenix land on Mars?"
ANSWER = "25 May 2008"


@dataclass(frozen=True)
class Upgraded:
    """A suite of this release over what the previous one stored."""

    suite: RunningSuite
    door: Door
    data: Path
    before: Path
    """Copies of the databases from before the upgrade."""


@pytest.fixture(scope="module")
def upgraded(previous: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    """The previous release stored the samples and a turn, copies were made, and this release was started."""
    folder = tmp_path_factory.mktemp("upgrade")
    data, before = folder / "data", folder / "before"
    with running_suite(data, processes=1, tree=previous) as earlier, Door.of(earlier) as door:
        earlier.parley("ingest", str(NOTES))
        assert ANSWER in last(door.ask(QUESTION, SESSION), "text_end").text_end.text
        backup(before, data)
    with running_suite(data, processes=1) as suite, Door.of(suite) as door:
        yield Upgraded(suite, door, data, before)


def test_a_conversation_goes_on_where_it_was(upgraded: Upgraded) -> None:
    with grpc.insecure_channel(upgraded.suite.address) as channel:
        sessions = session_pb2_grpc.SessionServiceStub(channel)
        turns = sessions.ListTurns(session_pb2.ListTurnsRequest(session_id=SESSION), timeout=10).turns
        stored = sessions.GetTurn(session_pb2.GetTurnRequest(turn_id=turns[0].turn_id), timeout=10).turn
    assert stored.question == QUESTION
    assert ANSWER in stored.answer.text
    assert all(reference.evidence.passage.text for reference in stored.references)
    follow_up = upgraded.door.ask("Did it find water ice?", SESSION)
    assert "Phoenix" in one(follow_up, "condensed").condensed.standalone


def test_documents_are_found_and_not_stored_again(upgraded: Upgraded) -> None:
    evidence = upgraded.door.corpus.Search(corpus_pb2.SearchRequest(query=QUESTION), timeout=10).evidence
    assert ANSWER in " ".join(each.passage.text for each in evidence)
    again = parley(upgraded.suite.port, "ingest", str(NOTES))
    assert "added 0, replaced 0, unchanged " in again.stdout, again.stdout + again.stderr
    assert "unchanged 0," not in again.stdout


def test_the_previous_release_refuses_tables_of_this_one(upgraded: Upgraded, previous: Path, tmp_path: Path) -> None:
    versions = {name: version_of(upgraded.data / name) for name in ("corpus.db", "sessions.db")}
    newer = {name: number for name, number in versions.items() if number != version_of(upgraded.before / name)}
    if not newer:
        pytest.skip("no table has changed since the previous release")
    backup(tmp_path, upgraded.data)
    stage, (name, number) = "gateway" if "corpus.db" not in newer else "retrieve", next(iter(newer.items()))
    process = started(previous, stage, tmp_path)
    assert process.returncode not in (0, None)
    assert f"{name} has" in process.stderr
    assert f"version {number}" in process.stderr


def test_the_copy_from_before_leads_back_to_the_previous_release(upgraded: Upgraded, previous: Path) -> None:
    with running_suite(upgraded.before, processes=1, tree=previous) as suite, Door.of(suite) as door:
        follow_up = door.ask("Did it find water ice?", SESSION)
    assert suite.tree == previous
    assert "Phoenix" in one(follow_up, "condensed").condensed.standalone


def version_of(database: Path) -> int:
    """The version of its tables."""
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def started(tree: Path, stage: str, data: Path) -> subprocess.CompletedProcess[str]:
    """A process of a release over a folder, which is to end by itself."""
    environment = environment_of(tree) | {"PARLEY_GATEWAY_DATA": str(data), "PARLEY_RETRIEVE_DATA": str(data)}
    command = [*parley_of(tree), "serve", stage, "--port", str(free_ports(1))]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=60, check=False)
