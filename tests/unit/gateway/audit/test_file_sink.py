"""Audit records reach their file in order; what cannot be written is counted, and stops nothing."""

import json
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from gateway.audit.sinks import AuditFile, AuditSettings, open_sink
from libs.runtime.settings import SettingsError
from tests.system.waiting import wait_for


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_records_of_many_threads_are_appended_whole(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"number": -1}\n')
    with closing(AuditFile(path)) as sink:

        def write(first: int) -> None:
            for number in range(first, first + 200):
                sink.write({"number": number})

        threads = [threading.Thread(target=write, args=(first,)) for first in (0, 200, 400)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(line["number"] for line in lines(path)) == list(range(-1, 600))


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with open_sink(AuditSettings(file=path)) as sink:
        sink({"number": 1})
    assert path.stat().st_mode & 0o077 == 0
    assert lines(path) == [{"number": 1}]


def test_a_file_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path, older = tmp_path / "audit.jsonl", tmp_path / "audit.1.jsonl"
    with closing(AuditFile(path)) as sink:
        sink.write({"number": 1})
        wait_for(lambda: len(lines(path)) == 1)
        path.rename(older)
        sink.write({"number": 2})
    assert (lines(older), lines(path)) == ([{"number": 1}], [{"number": 2}])


def test_what_is_lost_is_counted_and_recorded_when_the_file_can_be_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "audit.jsonl"
    with closing(AuditFile(path)) as sink, capture_logs() as logs:
        path.unlink()
        folder.rmdir()
        sink.write({"number": 1})
        wait_for(lambda: bool(logs))
        folder.mkdir()
        sink.write({"number": 2})
    loss, record = lines(path)
    assert (loss["lost"], record) == (1, {"number": 2})
    assert (logs[0]["log_level"], logs[0]["lost"]) == ("error", 1)


def test_a_disk_slower_than_the_calls_makes_nobody_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, free = tmp_path / "audit.jsonl", threading.Event()
    sink = AuditFile(path, max_waiting=2)
    append = sink._append
    monkeypatch.setattr(sink, "_append", lambda content: free.wait(5) and append(content))
    for number in range(20):
        sink.write({"number": number})
    free.set()
    wait_for(sink._waiting.empty)
    sink.write({"number": 20})
    sink.close()
    written = lines(path)
    lost = sum(line.get("lost", 0) for line in written)
    assert lost > 0
    assert lost + sum("number" in line for line in written) == 21


def test_a_folder_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PARLEY_AUDIT_FILE"), open_sink(AuditSettings(file=tmp_path)):
        pass


def test_without_a_file_refusals_are_logged_and_documents_only_for_debugging() -> None:
    with open_sink(AuditSettings()) as sink, capture_logs() as logs:
        sink({"time": "now", "method": "m", "outcome": "PERMISSION_DENIED"})
        sink({"time": "now", "method": "m", "outcome": "ADDED"})
    assert [(line["log_level"], line["outcome"]) for line in logs] == [
        ("info", "PERMISSION_DENIED"),
        ("debug", "ADDED"),
    ]
