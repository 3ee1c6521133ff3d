"""The corpus in a PostgreSQL database that several processes share."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.postgres.database import postgres_database
from services.retrieve.corpus.postgres.settings import PostgresSettings


@contextmanager
def open_corpus(settings: PostgresSettings) -> Iterator[Corpus]:
    """Open the corpus of a database, created if missing; a file is opened by `Corpus.open`.

    Raises:
        UnusableCorpus: the database cannot be reached in time, or another version of this program wrote it.
    """
    with postgres_database(settings) as database, closing(Corpus(database)) as corpus:
        yield corpus
