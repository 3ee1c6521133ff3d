"""What the pages on extending Parley say, followed word by word in a copy of the code."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.own_package import install
from tests.system.docs_pages import Block, blocks
from tests.system.door import ROOT

_SAVED_AS = re.compile(r"Save this as `([^`]+)`")


def _blocks(page: str) -> list[Block]:
    """The code blocks of a page, in order."""
    return [block for block in blocks() if block.page == page]


def _files(page: str) -> dict[str, str]:
    """The files that a page tells to save, by their paths."""
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = _SAVED_AS.findall(text)
    code_blocks = [block for block in _blocks(page) if block.language in ("toml", "python")][: len(paths)]
    positions = [text.index(block.text.strip()) for block in code_blocks]
    assert positions == sorted(positions)
    return dict(zip(paths, (block.text for block in code_blocks), strict=True))


def _save(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _run(script: str, folder: Path, *more: Path, **environment: str) -> str:
    """Run a Python script with the code of a folder, and what it prints."""
    path = os.pathsep.join(map(str, (folder, folder / "protos" / "gen", *more)))
    process = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the code that a stranger would change."""
    for room in ("libs", "services", "protos"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_language_is_added_without_a_change_to_the_code(tmp_path: Path) -> None:
    page = "docs/how-to/language.md"
    _save(_files(page), tmp_path)
    (script,) = [block.text for block in _blocks(page) if block.language == "python"]
    output = _run(script, ROOT, PARLEY_LANGUAGE_DATA=str(tmp_path / "languages"))
    assert f"It prints `{output}`" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["docs/how-to/field.md", "docs/how-to/rpc.md"])
def test_a_field_and_an_rpc_are_added_to_the_contract(copy: Path, page: str) -> None:
    for room in ("gateway", "tools", "third_party", "tests/fakes"):
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    for block in _blocks(page):
        if block.language == "diff":
            subprocess.run(["git", "apply", "-"], cwd=copy, input=block.text, text=True, check=True)
    subprocess.run([sys.executable, "tools/generate.py"], cwd=copy, check=True)
    (script,) = [block.text for block in _blocks(page) if block.language == "python"]
    assert f"It prints `{_run(script, copy).splitlines()[-1]}`" in (ROOT / page).read_text(encoding="utf-8")


def test_an_engine_is_added(tmp_path: Path) -> None:
    page = "docs/how-to/engine.md"
    files, packages = _files(page), tmp_path / "packages"
    _save(files, tmp_path / "own_engine")
    for name, text in files.items():
        assert (ROOT / "examples" / "own_engine" / name).read_text(encoding="utf-8") == text
    install(tmp_path / "own_engine", packages)
    (commands,) = [block.text for block in _blocks(page) if "export " in block.text]
    name, value = commands.split()[1].split("=")
    contract_test = next(block.text for block in _blocks(page) if "engine_contracts" in block.text)
    script = f"{contract_test}\nimport asyncio\nasyncio.run(test_the_engine_keeps_its_contract())\n{_SHOW_ENGINE}"
    assert _run(script, ROOT, packages, **{name: value}) == "headings"


_SHOW_ENGINE = """
from services.answer.stage import open_stage

async def show():
    async with open_stage() as stage:
        print(next(each.engine for each in stage.capabilities if each.task == "recommend"))

asyncio.run(show())
"""


def test_the_example_is_small() -> None:
    lines = [line for path in (ROOT / "examples" / "own_engine").iterdir() for line in path.read_text().splitlines()]
    assert len(lines) <= 60
