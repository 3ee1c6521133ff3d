"""The guide's way to copy a running suite's data, and to start a suite from the copy."""

from pathlib import Path

import pytest

from bench.suite import running_suite
from tests.system.docs_pages import block_beginning
from tests.system.docs_reader import reader_in
from tests.system.door import ingest, parley

pytestmark = pytest.mark.slow

PHOENIX = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"


def test_a_suite_from_a_copy_has_the_documents_and_conversations_of_that_moment(tmp_path: Path) -> None:
    reader = reader_in(tmp_path)
    (tmp_path / "phoenix.md").write_text(PHOENIX)
    (tmp_path / "later.md").write_text("# Insight\n\nInSight landed on Mars on 26 November 2018.\n")
    with running_suite(tmp_path / ".parley") as suite:
        ingest(suite.port, str(tmp_path / "phoenix.md"))
        assert parley(suite.port, "ask", "When did Phoenix land on Mars?", "--session", "kept").returncode == 0
        copying = reader.run(block_beginning(".venv/bin/parley backup"))
        assert copying.returncode == 0, copying.stderr
        ingest(suite.port, str(tmp_path / "later.md"))
    (copies,) = tmp_path.glob("backup-*")
    with running_suite(copies) as suite:
        assert "25 May 2008" in parley(suite.port, "search", "When did Phoenix land?").stdout
        assert "later" not in parley(suite.port, "documents").stdout
        assert "Phoenix" in parley(suite.port, "sessions", "show", "kept").stdout
