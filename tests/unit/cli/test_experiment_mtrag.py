"""`parley experiment mmr` over MTRAG's own files."""

import gzip
import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from typer.testing import Result

from cli.connection.gateway_connection import CommandError
from evaluation.experiment.mtrag import as_passages, passages_file, read_turns, turns_file
from evaluation.experiment.turns import rebuild
from parley.gateway.v1 import event_pb2, gateway_pb2

DOMAIN = "moon"
LAST_TURNS = [
    {"_id": "b7<::>2", "text": "|user|: And when?"},
    {"_id": "a1<::>1", "text": "|user|: What is it?"},
    {"_id": "b7<::>1", "text": "|user|: Who landed\non the moon?"},
]
PASSAGES = [
    {"_id": "822-0-13", "text": "Apollo 11 landed in 1969.", "title": "Apollo", "url": "https://example.org/apollo"},
    {"_id": "822-13-20", "text": "", "title": "Apollo"},
    {"_id": "901-0-9", "text": "The moon is a moon.", "title": "", "id": "another"},
]


def lay(path: Path, lines: Sequence[Any]) -> Path:
    """The lines as JSON, packed as the name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("__MACOSX/moon.jsonl", b"\x00")
            archive.writestr(path.stem, content)
    else:
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.fixture
def turns(tmp_path: Path) -> Path:
    return lay(tmp_path / "moon_lastturn.jsonl", LAST_TURNS)


class TestTurns:
    def test_are_conversations_by_the_two_parts_of_their_ids(self, turns: Path) -> None:
        questions = [
            [(t.task_id, t.turn, t.last_turn) for t in conversation]
            for conversation in rebuild(read_turns(turns, DOMAIN))
        ]
        assert questions == [
            [("b7<::>1", 1, "Who landed\non the moon?"), ("b7<::>2", 2, "And when?")],
            [("a1<::>1", 1, "What is it?")],
        ]

    @pytest.mark.parametrize("folder", ["mtrag-human/retrieval_tasks", "human/retrieval_tasks", "retrieval_tasks", ""])
    @pytest.mark.parametrize("below", [DOMAIN, ""])
    def test_are_found_below_each_folder_of_the_checkout(self, tmp_path: Path, folder: str, below: str) -> None:
        path = lay(tmp_path / folder / below / "moon_lastturn.jsonl", LAST_TURNS)
        assert turns_file(tmp_path, DOMAIN) == path
        assert turns_file(tmp_path, "mars") is None

    @pytest.mark.parametrize(
        "line",
        [
            [],
            {"text": "|user|: Why?"},
            {"_id": "b7", "text": "|user|: Why?"},
            {"_id": "b7<::>x", "text": "|user|: Why?"},
            {"_id": "b7<::>1", "text": "|user|:  "},
            {"_id": "b7<::>1", "text": None},
        ],
    )
    def test_that_are_none_are_refused_with_their_line(self, tmp_path: Path, line: Any) -> None:
        path = lay(tmp_path / "moon_lastturn.jsonl", [*LAST_TURNS, line])
        with pytest.raises(CommandError, match=r"Line 4 of .*moon_lastturn.jsonl is not a turn of MTRAG"):
            read_turns(path, DOMAIN)


class TestPassages:
    @pytest.mark.parametrize("folder", ["corpora/passage_level", "passage_level", ""])
    @pytest.mark.parametrize("name", ["moon.jsonl", "moon.jsonl.gz", "moon.jsonl.zip"])
    def test_are_taken_with_their_ids_packed_or_not(self, tmp_path: Path, folder: str, name: str) -> None:
        path = lay(tmp_path / folder / name, PASSAGES)
        assert passages_file(tmp_path, DOMAIN) == path
        with as_passages(path, DOMAIN) as file:
            lines = (file / "moon.passages.jsonl").read_text(encoding="utf-8").splitlines()
        assert not file.exists()
        assert [json.loads(line) for line in lines] == [
            {
                "id": "822-0-13",
                "title": "Apollo",
                "text": "Apollo 11 landed in 1969.",
                "url": "https://example.org/apollo",
            },
            {"id": "822-13-20", "title": "Apollo"},
            {"id": "901-0-9", "text": "The moon is a moon."},
        ]

    @pytest.mark.parametrize("content", [b"", b"PK no archive", b"\xff\xfe", None], ids=["", "PK", "bytes", "no lines"])
    def test_of_a_broken_archive_are_refused(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "moon.jsonl.zip"
        if content is not None:
            path.write_bytes(content)
        else:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("README.md", "nothing")
        with pytest.raises(CommandError, match="cannot be read"), as_passages(path, DOMAIN):
            pass

    def test_without_an_id_are_refused_with_their_line(self, tmp_path: Path) -> None:
        path = lay(tmp_path / "moon.jsonl", [*PASSAGES, {"text": "It has no id."}])
        with pytest.raises(CommandError, match=r"Line 4 of .* is not a passage of MTRAG"), as_passages(path, DOMAIN):
            pass


def test_a_checkout_is_ingested_and_asked(gateway: Any, parley: Callable[..., Result], tmp_path: Path) -> None:
    lay(tmp_path / "mtrag/human/retrieval_tasks/moon/moon_lastturn.jsonl", LAST_TURNS)
    lay(tmp_path / "mtrag/corpora/passage_level/moon.jsonl.zip", PASSAGES)
    rewriting = {"capabilities": [{"task": "condense", "engine": "llm"}]}
    info = {"stages": [{"stage": "STAGE_DECOMPOSE", "info": rewriting}]}
    gateway.info = ParseDict(info, gateway_pb2.GetServerInfoResponse())
    contents = [{"text_end": {"text": "So."}}, {"completed": {"outcome": "OUTCOME_ANSWERED"}}]
    gateway.turns = [[ParseDict(event, event_pb2.Event()) for event in contents]] * 3
    folders = ("--data", str(tmp_path / "mtrag"), "--out", str(tmp_path / "out"))
    result = parley("experiment", "mmr", *folders, "--domain", DOMAIN)
    assert result.exit_code == 0, result.stderr
    assert gateway.header.collection == DOMAIN
    assert [document.document_id for document in gateway.ingested] == ["822-0-13", "822-13-20", "901-0-9"]
    assert [request.question for request in gateway.asked] == ["Who landed\non the moon?", "And when?", "What is it?"]
    lines = (tmp_path / "out/datasets/moon.mmr-5.jsonl").read_text().splitlines()
    assert [json.loads(line)["_id"] for line in lines] == ["b7<::>1", "b7<::>2", "a1<::>1"]
