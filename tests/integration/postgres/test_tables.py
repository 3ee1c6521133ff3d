"""Which tables are used, and which are refused."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import SecretStr

from libs.runtime.errors import PermissionDenied
from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.postgres import PostgresSettings
from services.retrieve.corpus.databases.schema import UnusableCorpus
from services.retrieve.corpus.documents import Document, IngestStatus
from services.retrieve.corpus.originals import original
from services.retrieve.corpus.permissions import Caller
from services.retrieve.corpus.roots import Root, RootRequest, place_roots
from tests.conformance.databases import OpenCorpus, in_postgres
from tests.fakes.stored_documents import put
from tests.integration.postgres.process import PostgresProcess

LUNA = Document("luna", "Luna 9 landed softly. It sent pictures.", title="Luna 9")
BOB, CAROL = Caller(("bob",)), Caller(("carol",))
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


def assert_owned(corpus: Corpus) -> None:
    """Documents and roots of this corpus get owners."""
    assert put(corpus, replace(LUNA, text="Luna 9 landed."), caller=BOB) is IngestStatus.REPLACED
    with pytest.raises(PermissionDenied):
        put(corpus, LUNA, caller=CAROL)
    roots = corpus.write(place_roots, "default", [RootRequest("/docs", "docs")], BOB).result().roots
    assert roots == (Root("docs", "/docs"),)


def test_what_a_later_release_added_does_no_harm(opened: OpenCorpus, change: Change) -> None:
    change("CREATE TABLE ratings (document BIGINT); ALTER TABLE documents ADD COLUMN rating INTEGER NOT NULL DEFAULT 0")
    with opened() as corpus:
        assert_owned(corpus)


def test_tables_that_a_later_release_changed_are_refused(opened: OpenCorpus, change: Change) -> None:
    change("UPDATE identity SET version = 7")
    with pytest.raises(UnusableCorpus, match="schema version 7"), opened():
        pass


def test_a_role_that_may_create_nothing_uses_what_is_there(postgres: PostgresProcess) -> None:
    with in_postgres(postgres.url)() as corpus:
        schema = corpus.read(lambda connection: connection.execute("SELECT current_schema()").fetchone()[0])
        names = f"IN SCHEMA {schema} TO clerk"
        execute(
            corpus, f"CREATE ROLE clerk LOGIN; GRANT USAGE ON SCHEMA {schema} TO clerk; GRANT ALL ON ALL TABLES {names}"
        )
    settings = PostgresSettings(url=SecretStr(postgres.url.replace("postgres@", "clerk@")), schema_name=schema)
    with Corpus.open_shared(settings, start_seconds=5) as corpus:
        assert corpus.read(original, "default", "luna", ()) is None
