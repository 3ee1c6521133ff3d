"""What is ingested anew is answered anew."""

import shutil
from pathlib import Path

import pytest

from tests.system.door import SAMPLES, Door, ingest, one

pytestmark = pytest.mark.xdist_group("suite")

QUESTION = "When was the last signal from Phoenix received?"


def test_a_changed_date_in_a_sample_changes_the_answer(door: Door, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(SAMPLES / "corpus", folder)
    ingest(door.port, str(folder), "--collection", "edited")
    assert "2 November 2008" in one(door.ask(QUESTION, collection="edited"), "text_end").text_end.text

    note = folder / "phoenix.md"
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace("2 November 2008", "5 December 2009"), encoding="utf-8")
    ingest(door.port, str(folder), "--collection", "edited")
    answer = one(door.ask(QUESTION, collection="edited"), "text_end").text_end.text
    assert "5 December 2009" in answer
    assert "2 November 2008" not in answer
