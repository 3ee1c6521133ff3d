"""The databases that a corpus may be in."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from pydantic import SecretStr

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.postgres import PostgresSettings

OpenCorpus = Callable[[], AbstractContextManager[Corpus]]
"""Opens the same corpus each time."""

SERVER = (pytest.mark.integration, pytest.mark.timeout(600))
DATABASES = ("sqlite", pytest.param("postgresql", marks=SERVER))


@pytest.fixture(params=DATABASES)
def opened(request: pytest.FixtureRequest) -> OpenCorpus:
    """Opens a corpus of its own in each database."""
    if request.param == "sqlite":
        folder = request.getfixturevalue("tmp_path")
        return lambda: Corpus.open(folder)
    return in_postgres(request.getfixturevalue("postgres").url)


def in_postgres(url: str) -> OpenCorpus:
    """Opens a new corpus of a server."""
    settings = PostgresSettings(url=SecretStr(url), schema_name=f"test_{secrets.token_hex(6)}")
    return lambda: Corpus.open_shared(settings, start_seconds=5)


@pytest.fixture
def corpus(opened: OpenCorpus) -> Iterator[Corpus]:
    """A corpus in each database."""
    with opened() as corpus:
        yield corpus
