"""Which corpus file is opened, and which is refused."""

from pathlib import Path

import pytest

from services.retrieve.corpus.corpus import Corpus
from services.retrieve.corpus.databases.schema import UnusableCorpus


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    with Corpus.open(tmp_path) as corpus:
        corpus.read(lambda connection: connection.execute("PRAGMA user_version = 99"))
    with pytest.raises(UnusableCorpus, match="99"), Corpus.open(tmp_path):
        pass


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    with Corpus.open(tmp_path), pytest.raises(UnusableCorpus, match="another process"), Corpus.open(tmp_path):
        pass
