"""The guide's way to copy the documents in PostgreSQL while an ingest goes on, and to start from the copy."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.integration.backup.operator import Operator
from tests.integration.postgres.process import PostgresProcess, programs
from tests.integration.postgres.retrieves import (
    Ingest,
    answers,
    drop,
    hits,
    ids,
    new_database,
    put,
    retrieve_process,
    text_of,
)
from tests.system.docs_pages import block_beginning
from tests.system.killable_gateways import KillableProcess, all_running

PAGE_SERVER: Final = "parley@db.example.org:5432"
PLUTO: Final = "Craft 9001 landed on Pluto. It measured tholins there."
CERES: Final = "Craft 9002 landed on Ceres. It measured brine there."


@dataclass(frozen=True)
class Copied:
    """A corpus that has changed since it was copied, and a database that was restored from the copy."""

    original: KillableProcess
    url: str
    """Of the original's database."""
    restored_url: str
    folder: Path
    """Holds the folders of the processes; the original's engines are in `original`."""
    before: frozenset[str]
    """The documents that were acknowledged when the copy began."""


@pytest.fixture(scope="module")
def copied(postgres: PostgresProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copied]:
    folder = tmp_path_factory.mktemp("copied")
    with new_database(postgres, "parley") as url:
        operator = Operator(folder, {"PARLEY_RETRIEVE_POSTGRES_URL": url}, programs())
        original = retrieve_process(url, folder / "original")
        with all_running([original]):
            ingest = Ingest(original, "d")
            with ingest.going_on():
                before = frozenset(ingest.acknowledged)
                operator.run(block_beginning("pg_dump"))
                ingest.wait_for_more()
            put(original, "pluto", PLUTO)
            operator.run(block_beginning("psql --dbname").replace(PAGE_SERVER, postgres.authority))
            yield Copied(original, url, f"postgresql://{postgres.authority}/restored", folder, before)
    drop(postgres, "restored")


@pytest.fixture(scope="module")
def restored(copied: Copied) -> Iterator[KillableProcess]:
    """A process with new engines over the restored database."""
    process = retrieve_process(copied.restored_url, copied.folder / "restored")
    with all_running([process]):
        yield process


def test_the_copy_has_every_document_that_was_acknowledged_before_it(copied: Copied, restored: KillableProcess) -> None:
    assert copied.before < ids(restored) < ids(copied.original)
    assert "pluto" not in ids(restored)


def test_what_came_later_is_added_by_a_repeated_ingest_and_every_query_is_answered_alike(
    copied: Copied, restored: KillableProcess
) -> None:
    earlier = ids(restored)
    texts = {name: text_of(int(name.partition("-")[2])) for name in ids(copied.original) - {"pluto"}}
    statuses = {name: put(restored, name, text) for name, text in sorted(texts.items())}
    assert statuses == {name: "UNCHANGED" if name in earlier else "ADDED" for name in texts}
    put(restored, "pluto", PLUTO)
    rebuilt = retrieve_process(copied.url, copied.folder / "rebuilt")
    with all_running([rebuilt]):
        assert answers(restored) == answers(rebuilt)


def test_engines_from_before_do_not_answer_for_the_restored_corpus(copied: Copied, restored: KillableProcess) -> None:
    assert hits(copied.original, "tholins on Pluto")
    copied.original.stop()
    with_its_engines = retrieve_process(copied.restored_url, copied.folder / "original")
    with all_running([with_its_engines]):
        put(restored, "ceres", CERES)
        assert "ceres" in str(hits(with_its_engines, "brine"))
        assert hits(with_its_engines, "brine on Ceres") == hits(restored, "brine on Ceres")
        assert answers(with_its_engines) == answers(restored)
