"""`kill -9` in the middle of an ingest: what was acknowledged is in both engines, and nothing is in one only."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.filtering import Access
from services.retrieve.engines.collection import Engines
from tests.fakes.stored_documents import ENCODER

ROOT = Path(__file__).resolve().parents[3]


def ingest_until_killed(folder: Path, first: int, seconds: float) -> list[str]:
    """The ids that a process acknowledged before it was killed, `seconds` after its first one."""
    command = [sys.executable, "-m", "tests.fakes.endless_ingest", str(folder), str(first)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().strip()]
        time.sleep(seconds)
        process.kill()
        acknowledged += [line.strip() for line in process.stdout if line.endswith("\n")]
    return acknowledged


def check_after_restart(folder: Path, acknowledged: list[str]) -> None:
    with Corpus.open(folder) as corpus:
        engines = Engines(corpus, folder / "engines")
        collection = engines.of("default")
        lexical, vector = collection.lexical(), collection.vector()
        assert vector is not None
        rows = corpus.read(lambda connection: connection.execute("SELECT id, passage_id FROM passages").fetchall())
        keys = sorted(key for key, _ in rows)
        by_words = lexical.search({"moon": 1.0}, len(keys) + 10, Access()).keys
        by_vector = vector.search(ENCODER.encode(["moon"])[0], len(keys) + 10, Access()).keys
        engines.close()
    assert sorted(by_words.tolist()) == sorted(by_vector.tolist()) == keys
    assert {passage_id.split("#")[0] for _, passage_id in rows} >= set(acknowledged)


def kill_again_and_again(folder: Path, times: int, longest: float) -> None:
    chance = random.Random(9)
    acknowledged: list[str] = []
    for _ in range(times):
        acknowledged += ingest_until_killed(folder, len(acknowledged), chance.uniform(0, longest))
        check_after_restart(folder, acknowledged)


def test_what_was_acknowledged_survives_a_kill_in_both_engines(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, times=3, longest=0.4)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_it_survives_ten_kills_at_random_moments_of_a_long_ingest(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, times=10, longest=6)
