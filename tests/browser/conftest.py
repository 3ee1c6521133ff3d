"""A suite with its console, and the programs that a browser test needs."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.suite import RunningSuite, free_ports, running_suite
from doors.console_files import CONSOLE
from tests.fakes.pdf_pages import Set, set_pdf
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm, in_a_thread
from tests.system.door import NOTES, ROOT, parley

REQUIRED = "PARLEY_REQUIRE_BROWSER"
"""Set by `make browser`: a missing program is a failure."""
WEB = ROOT / "web"
CHROMIUM = "chromium"
SECONDS = 480

LIGHTHOUSE = """# The lighthouse of Harrow Point

The lighthouse of Harrow Point was lit on 3 May 1871. The tower of the lighthouse stands 42 metres high.
The last keeper of the lighthouse, Ada Finch, left on 30 June 1964, when the lamp became automatic.

| Lamp | Years |
|---|---|
| Oil | 1871 to 1912 |
| Electric | since 1912 |
"""
SECRET = {
    "id": "secret",
    "title": "The vault of Harrow Point",
    "text": "The vault of Harrow Point holds the crown of King Osric.",
    "principals": ["keeper"],
}
SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_RETRIES": "0",
    "PARLEY_INTENT_ENGINE": "rules",
    "PARLEY_DECOMPOSE_ENGINE": "rules",
    "PARLEY_DECOMPOSE_PLAN_ENGINE": "rules",
    "PARLEY_TIMELINE_ENGINE": "rules",
    "PARLEY_GATEWAY_LEASE_SECONDS": "2",
    "PARLEY_ANSWER_PICTURES_SECONDS": "30",
}
STONES = [f"Stone {n} of the tower was laid by hand" for n in range(1, 40)]
SLOW = " ".join(f"{stone} [1]." for stone in STONES)
SLOW_ANSWERS = 6
ANSWERS = {
    "When was the lighthouse": "The lighthouse of Harrow Point was lit on 3 May 1871 [1].",
    "How high is": "The tower of the lighthouse stands 42 metres high [1].\n\n"
    "| Lamp | Years |\n|---|---|\n| Oil | 1871 to 1912 [1] |",
    "Who was the last keeper": "- The last keeper of the lighthouse, Ada Finch, left on 30 June 1964 [1].\n"
    "- Ada Finch was born in Paris in 1901 [1].",
}


@dataclass(frozen=True)
class Console:
    """A suite with its console."""

    suite: RunningSuite
    url: str
    pdf: Path

    def gateway_pid(self) -> int:
        """The process that the gateway runs in."""
        (process,) = [each for name, each in self.suite.processes().items() if "gateway" in name]
        return int(process.pid)


def program(name: str) -> str:
    """A program's path; without it the test is skipped, or fails where it is required."""
    path = shutil.which(name)
    if path is None:
        missing(f"{name} is not installed")
    assert path is not None
    return path


def missing(reason: str) -> None:
    """Skip the test, or fail where everything is required."""
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)


def run_node(script: str, **environment: str) -> None:
    """Run a script of `web/browser` and show what it printed; fails if it did."""
    command = [program("node"), *(["--test"] if ".test." in script else []), str(WEB / "browser" / script)]
    variables = {**os.environ, "PARLEY_CHROMIUM": program(CHROMIUM), **environment}
    process = subprocess.run(command, cwd=WEB, env=variables, capture_output=True, text=True, timeout=SECONDS)
    assert process.returncode == 0, process.stdout[-8000:] + process.stderr[-4000:]
    sys.stdout.write(process.stdout)


@pytest.fixture(scope="session")
def installed() -> None:
    """What a browser test needs is there."""
    program("node")
    program(CHROMIUM)
    if not (WEB / "node_modules" / "playwright-core").is_dir():
        missing("the console's packages are not installed: make browser")
    if not (CONSOLE / "index.html").is_file():
        missing("the console is not built: make console")


@pytest.fixture(scope="session")
def console(installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A suite over the samples and a lighthouse, with a scripted model that writes."""
    folder = tmp_path_factory.mktemp("console")
    port = free_ports(1)
    pdf = folder / "windmill.pdf"
    page = [Set("The windmill of Elm Hill", 18), Set("The windmill of Elm Hill was built in 1788.")]
    pdf.write_bytes(set_pdf([page]))
    with in_a_thread() as llm:
        script(llm)
        settings = SETTINGS | {"PARLEY_LLM_BASE_URL": llm.base_url}
        arguments = ("--web", "--web-port", str(port))
        with running_suite(folder / "data", settings, processes=3, arguments=arguments) as suite:
            url = f"http://127.0.0.1:{port}/"
            wait_for_http(f"{url}healthz")
            ingest(suite, folder)
            yield Console(suite, url, pdf)


def script(llm: ScriptedLlm) -> None:
    """What the model writes: by the question, and slowly where a test wants time."""
    for _ in range(SLOW_ANSWERS):
        llm.stream([f"{word} " for word in SLOW.split()], delay=0.03, when=lambda request: "slowly" in request.prompt)
    llm.answer_with(_written)


def _written(request: LlmRequest) -> str:
    """The answer to the question that comes last in the prompt."""
    prompt = request.prompt.lower()
    return ANSWERS[max(ANSWERS, key=lambda words: prompt.rfind(words.lower()))]


def ingest(suite: RunningSuite, folder: Path) -> None:
    """The samples, the lighthouse, and a document for one principal."""
    (folder / "lighthouse.md").write_text(LIGHTHOUSE, encoding="utf-8")
    (folder / "stones.md").write_text(f"# The stones of Harrow Point\n\n{'. '.join(STONES)}.\n", encoding="utf-8")
    (folder / "secret.jsonl").write_text(json.dumps(SECRET), encoding="utf-8")
    files = [str(folder / name) for name in ("lighthouse.md", "stones.md", "secret.jsonl")]
    process = parley(suite.port, "ingest", str(NOTES), *files)
    assert process.returncode == 0, process.stdout + process.stderr


def wait_for_http(url: str, seconds: float = 30.0) -> None:
    """Return once a page is served."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            assert time.monotonic() < end, f"{url} is not served"
            time.sleep(0.1)
