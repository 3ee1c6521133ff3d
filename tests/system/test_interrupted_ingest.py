"""Ctrl-C in the middle of a folder: one line on what is done and left, no traceback, and a second run goes on."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import grpc
import pytest

from bench.suite import PARLEY, RunningSuite
from parley.retrieve.v1 import corpus_pb2, corpus_pb2_grpc
from tests.system.waiting import wait_for

FILES, TRIES = 1200, 10
LINE = re.compile(
    r"Interrupted: added ([\d,]+), .* \([\d,]+ passages\); ([\d,]+) of 1,200 files are left\. "
    r"Run the same command again: it goes on with them\.\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "logbook"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number:04}.md").write_text(f"# Day {number}\n\nThe pump {number} ran at {number + 20} bar.\n" * 9)
    return folder


def ingest(suite: RunningSuite, folder: Path, collection: str) -> subprocess.Popen[str]:
    command = [*PARLEY, "ingest", str(folder), "--collection", collection, "--port", str(suite.port)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def stored(suite: RunningSuite, collection: str) -> int:
    with grpc.insecure_channel(suite.address) as channel:
        collections = corpus_pb2_grpc.CorpusServiceStub(channel).ListCollections(corpus_pb2.ListCollectionsRequest())
    return next((each.documents for each in collections.collections if each.name == collection), 0)


def numbers(line: re.Match[str]) -> list[int]:
    return [int(number.replace(",", "")) for number in line.groups()]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_is_stored_stays_and_the_rest_is_ingested_by_a_second_run(suite: RunningSuite, folder: Path) -> None:
    interrupted = most = 0
    for attempt in range(TRIES):
        collection = f"interrupted-{attempt}"
        child = ingest(suite, folder, collection)
        wait_for(lambda name=collection: stored(suite, name) > 0)  # type: ignore[misc]
        time.sleep(0.07 * attempt)
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does
        output, errors = child.communicate(timeout=30)
        if output:  # it was done before
            assert (child.returncode in (0, 130), output.startswith(f"added {FILES:,},")) == (True, True), errors
            continue
        interrupted += 1
        assert (child.returncode, output) == (130, ""), errors
        line = LINE.fullmatch(errors)
        assert line is not None, errors
        added, left = numbers(line)
        assert added < FILES
        assert added + left in (FILES - 1, FILES)  # one may be noted and not counted yet
        most = max(most, added)
        output, errors = ingest(suite, folder, collection).communicate(timeout=120)
        again = re.match(r"added ([\d,]+), replaced 0, unchanged ([\d,]+), empty 0, failed 0", output)
        assert again is not None, errors
        missing, unchanged = numbers(again)
        assert (unchanged >= added, missing + unchanged) == (True, FILES)
    assert (interrupted >= TRIES // 2, most > 0) == (True, True)
