"""Every command of the README and the documentation is run as it stands there, or listed here with a reason."""

import importlib.util
import re
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from cli.app import command_line
from libs.runtime.settings import AreaSettings
from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.docs_pages import NO_COMMANDS, Block, block_beginning, blocks, inline_commands, plain, words
from tests.system.docs_reader import Reader, ingest_samples, reader_in
from tests.system.door import ROOT
from tools.reference.areas import areas

pytestmark = pytest.mark.xdist_group("docs")

UP = ".venv/bin/parley up"
INSTALLED = (
    ".venv/ready",
    ".venv/ready-dev",
    ".venv/ready-llm",
    ".venv/ready-mutation",
    ".venv-peers/ready",
    "build/embedders/ready",
)
"""Files that say to make that something is installed or fetched."""

MAVEN = "fetches files by Maven"
CLUSTER = "needs a cluster"
MINUTES = "measures for minutes"
MTRAG = "measures over the whole of MTRAG, beside engines with an environment of their own"

NOT_RUN = {
    "make test": "runs these tests",
    "make test-all": "runs these tests",
    "make check": "lint, types and tests, which run by themselves",
    "make coverage": "runs these tests",
    "make browser": "drives a browser for minutes",
    "make soak": "runs these tests",
    "make mutation": "installs mutmut, and runs tests for minutes",
    "make setup-dev": "installs packages",
    "make local-llm": "installs a model, and serves it until Ctrl-C",
    "kubectl create secret generic suite-trust --from-literal=secret=$(openssl rand -hex 32)": CLUSTER,
    "kubectl create secret generic callers --from-file=keys": CLUSTER,
    "helm upgrade parley deploy/helm/parley --reuse-values --set-string trust.secretName=suite-trust"
    " --set-string auth.keysSecretName=callers": CLUSTER,
    ".venv/bin/parley ingest /shared/notes --collection notes --ray head:6379": "needs machines with Ray",
    "make deploy": "builds programs by Go for minutes",
    "make integration": MAVEN,
    "make embedders": MAVEN,
    "make bench": MINUTES,
    "make quality": "measures over a suite of its own",
    "make bench COMMIT=revision": MINUTES,
    "make docsqa DOCS=…": MINUTES,
    "make docsqa DOCS=bench/data/german": MINUTES,
    "make docsqa DOCS=questions/ COMMIT=HEAD~1": MINUTES,
    "make peers MTRAG=folder": MTRAG,
    "make bench-model MTRAG=folder": MTRAG,
    "docker compose --env-file full.env up": "needs Docker, and fetches images",
    ".venv/bin/parley up --data other/": MAVEN,
    ".venv/bin/python -m bench.fit wording followups.jsonl --more tasks.jsonl.gz … questions.jsonl --graph model.onnx "
    "--tokenizer tokenizer.json --out weights.npz": "needs the packages of `make neural`",
}
"""Commands by their words, and why they are not run. What a page exports is checked as settings in any case."""

PAGES_NOT_RUN = {
    "docs/how-to/release.md": "tags, pushes and publishes a release",
    "docs/how-to/engine.md": "followed by tests/system/test_extending.py",
    "docs/how-to/language.md": "followed by tests/system/test_extending.py",
    "docs/how-to/field.md": "followed by tests/system/test_extending.py",
    "docs/how-to/rpc.md": "followed by tests/system/test_extending.py",
    "docs/how-to/security.md": "followed by tests/system/test_tls.py",
    "docs/how-to/grpcurl.md": "followed by tests/clients/test_cookbook.py, with the programs themselves",
}
LIBPQ_VARIABLES = {"PGPASSWORD"}
"""What pages export for the PostgreSQL client library."""
RUN_ELSEWHERE = (UP, "make demo")
"""Commands that have a test or a fixture of their own."""
PROGRAMS_RUN_ELSEWHERE = {
    "pg_dump": "tests/integration/backup/test_postgres.py",
    "pg_restore": "tests/integration/backup/test_postgres.py",
    "psql": "tests/integration/backup/test_postgres.py",
    "curl": "tests/integration/backup/test_elasticsearch.py",
}
"""What asks servers, and the tests that run its commands as they stand on the pages."""
BLOCKS = [block for block in blocks() if block.is_commands and block.page not in PAGES_NOT_RUN]
EXPORTED_UP = {
    first
    for block in BLOCKS
    for first, second in pairwise(block.commands)
    if first.startswith("export ") and plain(second) == UP
}
"""What is exported before the suite is started."""
TEXTS = sorted({block.text for block in BLOCKS if "export " in block.text})


def options_of(command: str) -> tuple[set[str], list[str]]:
    """The options that a `parley` command has, and those that it is given.

    Raises:
        KeyError: there is no such command.
    """
    _, *arguments = words(command)
    command_entry: Any = entry_point()
    while isinstance(command_entry, TyperGroup) and arguments and arguments[0] != "--help":
        command_entry = command_entry.commands[arguments.pop(0)]
    names = {name for parameter in command_entry.params for name in parameter.opts}
    return names | {"--help"}, [word for word in arguments if word.startswith("-")]


@cache
def entry_point() -> Any:
    """The command line, put together once."""
    return get_command(command_line())


def recipe(command: str) -> str:
    """What make runs for a target, with everything installed.

    Raises:
        subprocess.CalledProcessError: there is no such target.
    """
    _, *arguments = words(command)
    there = [f"--old-file={name}" for name in INSTALLED]
    process = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", *there, *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return process.stdout


class TestCheap:
    """What holds without running anything."""

    def test_no_entry_is_stale(self) -> None:
        assert PAGES_NOT_RUN.keys() - {block.page for block in blocks()} == set()
        there = {plain(command) for block in BLOCKS for command in block.commands}
        assert NOT_RUN.keys() - there == set()
        texts = [block.text.lstrip() for block in blocks()]
        assert [each for each in NO_COMMANDS if not any(text.startswith(each) for text in texts)] == []

    def test_every_command_belongs_to_a_known_program(self) -> None:
        programs = {words(command)[0] for block in BLOCKS for command in block.commands}
        assert programs == {
            "make", "export", "grpcurl", "docker", "helm", "kubectl", ".venv/bin/parley", ".venv/bin/python",
            *PROGRAMS_RUN_ELSEWHERE,
        }  # fmt: skip

    @pytest.mark.parametrize("program", PROGRAMS_RUN_ELSEWHERE)
    def test_what_asks_servers_is_run_by_a_test_of_theirs(self, program: str) -> None:
        test = (ROOT / PROGRAMS_RUN_ELSEWHERE[program]).read_text(encoding="utf-8")
        texts = {block.text for block in BLOCKS for command in block.commands if words(command)[0] == program}
        beginnings = re.findall(r"""(?:block_beginning\(|: Final = )(["'])(.+?)\1""", test)
        assert all(any(text.startswith(beginning) for _, beginning in beginnings) for text in texts)

    def test_every_command_exists_and_has_the_options(self) -> None:
        commands = {command for _, command in inline_commands() if command.startswith("parley ")}
        commands |= {c for block in BLOCKS for c in block.commands if c.startswith(".venv/bin/parley")}
        assert len(commands) > 50
        given = {command: options_of(command) for command in sorted(commands)}
        assert [command for command, (options, words) in given.items() if not options.issuperset(words)] == []

    def test_every_target_exists_and_names_modules_that_are_there(self) -> None:
        commands = {command for _, command in inline_commands() if command.startswith("make ")}
        commands |= {command for command in NOT_RUN if command.startswith("make ")}
        modules = {module for command in sorted(commands) for module in re.findall(r"-m (bench\.\S+)", recipe(command))}
        assert [module for module in sorted(modules) if importlib.util.find_spec(module) is None] == []

    def test_what_docker_is_given_exists(self) -> None:
        (command,) = [name for name in NOT_RUN if name.startswith("docker")]
        _, compose, option, file, up = words(command)
        assert (compose, option, up) == ("compose", "--env-file", "up")
        assert (ROOT / file).is_file()
        assert (ROOT / "docker-compose.yml").is_file()

    @pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.split("=")[0].removeprefix("export "))
    def test_exports_are_valid_settings(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        values = dict(assignment for command in Block("", text).commands for assignment in exports(command))
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        fields = {area.variable(field) for _, area in areas() for field in area.model_fields}
        assert values.keys() - fields - LIBPQ_VARIABLES == set()
        for _, area in areas():
            load(area)


def exports(command: str) -> Iterator[tuple[str, str]]:
    """Names and values of an `export`."""
    program, *assignments = words(command)
    if program == "export":
        for assignment in assignments:
            name, _, value = assignment.partition("=")
            yield name, value


def load(area: type[AreaSettings]) -> None:
    """Read an area; SettingsError says which value is wrong."""
    area.load()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Beside a suite that `parley up` started, with the samples in it."""
    reader = reader_in(tmp_path_factory.mktemp("reader"))
    with reader.running(UP):
        ingest_samples(reader)
        yield reader


@pytest.mark.slow
class TestRun:
    """What the pages say, done."""

    @pytest.mark.parametrize("page", sorted({block.page for block in BLOCKS}))
    def test_the_commands_of_a_page_succeed_in_their_order(self, reader: Reader, page: str) -> None:
        for script in (script for block in BLOCKS if block.page == page for script in scripts(block)):
            process = follow(reader, script)
            assert process.returncode == 0, f"{script}\n{process.stdout}{process.stderr}"
            assert process.stdout.strip(), script

    def test_the_demonstration_says_what_the_readme_shows(self, tmp_path: Path) -> None:
        process = follow(reader_in(tmp_path), "make demo")
        assert process.returncode == 0, process.stdout + process.stderr
        expected_lines = [
            part.strip() for part in re.split(r"[…\n]", block_beginning("> When did Phoenix")) if part.strip()
        ]
        assert len(expected_lines) > 4
        assert [part for part in expected_lines if part not in process.stdout] == []

    def test_an_exported_language_model_is_asked(self, tmp_path: Path, llm: ScriptedLlm) -> None:
        (export_block,) = EXPORTED_UP
        reader, here = reader_in(tmp_path), export_block.replace("https://llm.example.org/v1", llm.base_url)
        with reader.running(f"{here}\n{UP}"):
            process = reader.run(
                '.venv/bin/parley ingest notes/; .venv/bin/parley ask "When is the new antenna mounted?"'
            )
        assert process.returncode == 0, process.stderr
        assert {request.body["model"] for request in llm.requests} == {"some-model"}

    def test_the_python_of_the_evaluation_page_runs(self, reader: Reader) -> None:
        code, ragas, _ = block_beginning("from parley.client.evaluation").partition("from ragas import")
        assert ragas, "what needs Ragas is run by `make ragas`"
        reader.run('.venv/bin/parley ask "When did Phoenix land on Mars?" --session mine')
        process = reader.run(f".venv/bin/python -c {shlex.quote(code)}")
        assert process.returncode == 0, process.stderr


def scripts(block: Block) -> Iterator[str]:
    """The commands that a test of the block runs, each after what the block exported before it."""
    export_block: list[str] = []
    for command in block.commands:
        if command.startswith("export "):
            export_block.append(command)
        elif not is_run_elsewhere(command) and plain(command) not in NOT_RUN:
            yield "\n".join([*export_block, command])


def is_run_elsewhere(command: str) -> bool:
    """Whether another test runs it."""
    return plain(command) in RUN_ELSEWHERE or words(command)[0] in PROGRAMS_RUN_ELSEWHERE


def follow(reader: Reader, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the reader's folder; a target's recipe in the checkout, which is installed already."""
    if command.startswith("make "):
        return reader.run(recipe(command), cwd=ROOT)
    return reader.run(command)


def test_a_command_that_is_not_there_is_found(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        options_of("parley no-such-command")
    with pytest.raises(subprocess.CalledProcessError):
        recipe("make no-such-target")
