"""Every command of the page on grpcurl and ghz, by the programs themselves, in the order of the page."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.system.docs_pages import blocks
from tests.system.docs_reader import Reader, ingest_samples, reader_in

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = ROOT / "build" / "call-tools" / "bin"
PAGE: Final = "docs/how-to/grpcurl.md"
COMMANDS: Final = tuple(command for block in blocks() if block.page == PAGE for command in block.commands)
ANSWERS: Final = (
    (0, r"parley\.gateway\.v1\.GatewayService\n(.*\n)*parley\.retrieve\.v1\.CorpusService"),
    (0, r"parley\.gateway\.v1\.GatewayService\.AskOnce"),
    (0, r"rpc Ask \( \.parley\.gateway\.v1\.AskRequest \) returns \( stream"),
    (0, r'"question": ""'),
    (0, r'"status": "SERVING"'),
    (0, r'"stage": "STAGE_TIMELINE"'),
    (0, r'"text_end": \{\s+"text": ".*25 May 2008'),
    (0, r'"standalone": ".*Spirit'),
    (0, r'"number": 1'),
    (0, r'"timeline": \{\s+"events"'),
    (0, r'"turn_id": "(?P<turn>[^"]+)"'),
    (0, r'"seq": 4,(.*\n)*.*"completed"'),
    (0, r'"document_id": "fox",\s+"status": "INGEST_STATUS_ADDED"(.*\n)*.*"document_id": "lynx"'),
    (0, r'"document_id": "fox"'),
    (0, r'"document_id": "fox"'),
    (0, r"Lynx is on its way"),
    (64 + 5, r'"reason": "DOCUMENT_NOT_FOUND"'),
    (64 + 3, r'"field": "question"'),
    (0, r"\{\}"),
    (0, r"\[OK\]\s+20 responses"),
    (0, r"\[OK\]\s+20 responses"),
    (0, r'"statusCodeDistribution":\s*\{"OK":\s*50\}'),
)
"""Exit status and a part of the output of each command."""

pytestmark = [pytest.mark.toolchain, pytest.mark.xdist_group("clients"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    reader = reader_in(tmp_path_factory.mktemp("cookbook"))
    for program in ("grpcurl", "ghz"):
        if not (PROGRAMS / program).exists():
            missing = pytest.fail if "PARLEY_REQUIRE_CLIENTS" in os.environ else pytest.skip
            missing(f"needs {program}: `make call-tools`")
        (reader.folder / "bin" / program).unlink(missing_ok=True)
        (reader.folder / "bin" / program).symlink_to(PROGRAMS / program)
    with reader.running(".venv/bin/parley up"):
        ingest_samples(reader)
        yield reader


def test_the_commands_of_the_page(reader: Reader) -> None:
    turn = ""
    for command, (code, answer) in zip(COMMANDS, ANSWERS, strict=True):
        process = reader.run(command.replace("q-…", turn))
        output = process.stdout + process.stderr
        match = re.search(answer, output)
        assert (process.returncode, match is not None) == (code, True), f"{command}\n{output}"
        assert match is not None
        turn = match.groupdict().get("turn", turn)
