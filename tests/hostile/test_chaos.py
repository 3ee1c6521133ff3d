"""Each part fails in each way: every call ends in time with what the matrix says, and nothing is lost.

The matrix is `tests/hostile/chaos/cells.py`; `python -m tests.hostile.chaos.cells` prints it into the documentation.
"""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.hostile.chaos import cells
from tests.hostile.chaos.faults import Fault
from tests.hostile.chaos.turns import DEADLINE, LATE, Ending
from tests.hostile.chaos.world import World, world_of_stages
from tests.integration.elasticsearch.process import ElasticsearchProcess
from tests.integration.milvus.process import MilvusProcess
from tests.integration.postgres.process import PostgresProcess
from tests.system.waiting import wait_for

RECOVERY = 40.0
"""Most seconds after a fault until a turn is whole again."""

pytestmark = [pytest.mark.xdist_group("chaos"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world_of_stages(tmp_path_factory.mktemp("stages")) as world:
        yield world


@pytest.fixture(scope="module")
def engines(
    tmp_path_factory: pytest.TempPathFactory,
    postgres: PostgresProcess,
    elasticsearch: ElasticsearchProcess,
    milvus: MilvusProcess,
) -> Iterator[World]:
    from tests.hostile.chaos.engines import world_of_engines

    with world_of_engines(tmp_path_factory.mktemp("engines"), postgres, elasticsearch, milvus) as world:
        yield world


def check(world: World, row: str, fault: Fault, expectation: str) -> None:
    """Try a cell."""
    part, is_ingest = row.removesuffix(cells.INGEST), row.endswith(cells.INGEST)
    wait_for(partial(is_whole, world), seconds=RECOVERY)
    world.logs.news()
    with world.fault(part, fault):
        ending = world.caller.put(f"{part}-{fault.name}") if is_ingest else world.caller.ask()
    world.repair()
    assert ending.in_words() in expectation.split(" | ")
    assert ending.seconds <= DEADLINE + LATE
    assert ending.has_error_info or ending.code in ("OK", "DEADLINE_EXCEEDED")  # which a client finds by itself
    wait_for(partial(is_whole, world), seconds=RECOVERY)
    assert world.caller.lost() == []
    assert "Traceback" not in world.logs.news()


def is_whole(world: World) -> bool:
    """Whether a turn lacks nothing."""
    ending: Ending = world.caller.ask()
    return ending.in_words() == cells.ANSWERED and ending.has_timeline


def parameters(matrix: cells.Cells) -> list[object]:
    return [pytest.param(row, fault, cell, id=f"{row}-{fault.value}") for (row, fault), cell in matrix.items()]


@pytest.mark.slow
@pytest.mark.parametrize(("row", "fault", "expectation"), parameters(cells.STAGE_CELLS))
def test_a_failing_stage_or_model(stages: World, row: str, fault: Fault, expectation: str) -> None:
    check(stages, row, fault, expectation)


@pytest.mark.integration
@pytest.mark.parametrize(("row", "fault", "expectation"), parameters(cells.ENGINE_CELLS))
def test_a_failing_engine(engines: World, row: str, fault: Fault, expectation: str) -> None:
    check(engines, row, fault, expectation)


def test_the_documentation_shows_the_matrix() -> None:
    assert cells.BEGIN + cells.table() + cells.END in cells.PAGE.read_text(encoding="utf-8")
