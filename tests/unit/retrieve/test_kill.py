"""`kill -9` in the middle of an ingest: what was acknowledged is in both engines, and nothing is in one only."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fakes.both_engines import documents_in_both_engines

ROOT = Path(__file__).resolve().parents[3]


def ingest_until_killed(folder: Path, first: int, seconds: float) -> list[str]:
    """The ids that a process acknowledged before it was killed, `seconds` after its first one."""
    command = [sys.executable, "-m", "tests.fakes.endless_ingest", str(folder), str(first)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        acknowledged_ids = [process.stdout.readline().strip()]
        time.sleep(seconds)
        process.kill()
        acknowledged_ids += [line.strip() for line in process.stdout if line.endswith("\n")]
    return acknowledged_ids


def kill_again_and_again(folder: Path, times: int, longest: float) -> None:
    chance = random.Random(9)
    acknowledged_ids: list[str] = []
    for _ in range(times):
        acknowledged_ids += ingest_until_killed(folder, len(acknowledged_ids), chance.uniform(0, longest))
        assert documents_in_both_engines(folder, "moon") >= set(acknowledged_ids)


def test_what_was_acknowledged_survives_a_kill_in_both_engines(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, times=3, longest=0.4)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_it_survives_ten_kills_at_random_moments_of_a_long_ingest(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, times=10, longest=6)
