"""Which tables are used, which are added to, and which are refused."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from libs.runtime.errors import PermissionDenied
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.schema import UnusableCorpus
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import Root, RootRequest
from tests.conformance.databases import OpenCorpus, in_postgres
from tests.fakes.stored_documents import put
from tests.integration.postgres.process import PostgresProcess
from tests.system.waiting import wait_for

LUNA = Document("luna", "Luna 9 landed softly. It sent pictures.", title="Luna 9")
BOB, CAROL = Caller(("bob",)), Caller(("carol",))
UNCOUNTED = "ALTER TABLE identity DROP COLUMN additions"
WITHOUT_OWNERS = f"DROP TABLE owners; ALTER TABLE roots DROP COLUMN owners; {UNCOUNTED}"
"""Makes the tables those of the first release."""
Change = Callable[[str], None]


@pytest.fixture
def opened(postgres: PostgresProcess) -> OpenCorpus:
    return in_postgres(postgres.url)


@pytest.fixture
def change(opened: OpenCorpus) -> Change:
    """Runs statements over a corpus that has a document without owners."""

    def run(statements: str) -> None:
        with opened() as corpus:
            put(corpus, LUNA)
            execute(corpus, statements)

    return run


def execute(corpus: Corpus, statements: str) -> None:
    corpus._writer.submit(
        lambda connection: [connection.execute(statement) for statement in statements.split(";")]
    ).result()


def schema_of(opened: OpenCorpus) -> str:
    """The name of the schema that a corpus has its tables in."""
    with opened() as corpus:
        return str(corpus.read(lambda connection: connection.execute("SELECT current_schema()").fetchone()[0]))


def assert_owned(corpus: Corpus) -> None:
    """Documents and roots of this corpus get owners."""
    assert put(corpus, replace(LUNA, text="Luna 9 landed."), caller=BOB) is IngestStatus.REPLACED
    with pytest.raises(PermissionDenied):
        put(corpus, LUNA, caller=CAROL)
    roots = corpus.place_roots("default", [RootRequest("/docs", "docs")], BOB).result().roots
    assert roots == (Root("docs", "/docs"),)


def test_tables_from_before_ownership_are_added_to(opened: OpenCorpus, change: Change) -> None:
    change(WITHOUT_OWNERS)
    with opened() as corpus:
        assert_owned(corpus)


def test_tables_whose_additions_were_not_counted_are_used(opened: OpenCorpus, change: Change) -> None:
    change(f"UPDATE identity SET version = 6; {UNCOUNTED}")
    with opened() as corpus:
        assert_owned(corpus)


def test_what_a_later_release_added_does_no_harm(opened: OpenCorpus, change: Change) -> None:
    change(
        "CREATE TABLE ratings (document BIGINT); ALTER TABLE documents ADD COLUMN rating INTEGER NOT NULL DEFAULT 0; "
        "UPDATE identity SET additions = additions + 1"
    )
    with opened() as corpus:
        assert_owned(corpus)


def test_tables_that_a_later_release_changed_are_refused(opened: OpenCorpus, change: Change) -> None:
    change("UPDATE identity SET version = 7")
    with pytest.raises(UnusableCorpus, match="schema version 7"), opened():
        pass


def test_an_upgrade_waits_for_a_table_in_use_and_keeps_nobody_from_it(
    postgres: PostgresProcess, opened: OpenCorpus, change: Change
) -> None:
    """A table is in use for as long as pg_dump takes."""
    schema = schema_of(opened)
    change(WITHOUT_OWNERS)

    def is_waited_for() -> bool:
        with psycopg.connect(postgres.url) as session:
            rows = session.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")
            return rows.fetchone() is not None

    def use() -> None:
        with opened() as corpus:
            assert_owned(corpus)

    with ThreadPoolExecutor(1) as worker, psycopg.connect(postgres.url) as dump:
        dump.execute(f"SELECT count(*) FROM {schema}.roots".encode())
        upgrade = worker.submit(use)
        wait_for(is_waited_for)
        wait_for(lambda: not is_waited_for())
        assert not upgrade.done()
        dump.rollback()
        upgrade.result()


def test_an_upgrade_that_waits_in_vain_says_why(postgres: PostgresProcess, opened: OpenCorpus, change: Change) -> None:
    schema = schema_of(opened)
    change(WITHOUT_OWNERS)
    with psycopg.connect(postgres.url) as dump:
        dump.execute(f"SELECT count(*) FROM {schema}.roots".encode())
        with pytest.raises(UnusableCorpus, match="another program uses them"), opened():
            pass
