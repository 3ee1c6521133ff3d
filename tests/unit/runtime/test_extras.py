"""What is said where a library of an extra is missing."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ingest.documents import Unreadable
from ingest.readers import read_file
from libs.runtime.extras import EXTRAS, missing_extra
from libs.runtime.serving.process import run

ROOT = Path(__file__).resolve().parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REMEDY = "The HTTP server needs the extra `http`: pip install 'parley[http]'"


def test_the_table_holds_the_extras_that_all_installs() -> None:
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert everything == f"parley[{','.join(EXTRAS)}]"


def test_the_core_is_what_serving_needs() -> None:
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in PROJECT["dependencies"]}  # type: ignore[index]
    assert len(names) <= 30
    assert names.isdisjoint(
        {"typer", "rich", "starlette", "psycopg", "pypdfium2", "lxml", "opentelemetry-sdk", "pyjwt"}
    )


@pytest.mark.parametrize(
    ("module", "name"), [("starlette", "http"), ("mcp.server", "http"), ("opentelemetry.sdk.trace", "telemetry")]
)
def test_a_failed_import_names_the_extra_of_its_module(module: str, name: str) -> None:
    error = missing_extra(ModuleNotFoundError(name=module))
    assert str(error).endswith(f"needs the extra `{name}`: pip install 'parley[{name}]'")


def test_a_module_of_no_extra_is_not_explained() -> None:
    assert missing_extra(ModuleNotFoundError(name="opentelemetry")) is None
    assert missing_extra(ModuleNotFoundError(name="starlettes")) is None


def test_a_process_that_lacks_an_extra_leaves_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        raise ModuleNotFoundError("No module named 'uvicorn'", name="uvicorn")

    with pytest.raises(SystemExit) as leaving:
        run(main)
    assert leaving.value.code == 2
    assert capsys.readouterr().err == f"{REMEDY}\n"


def test_a_file_that_cannot_be_read_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.4\n")
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    for module in ("file", "reader"):  # another test may have imported them
        monkeypatch.delitem(sys.modules, f"ingest.formats.pdf.{module}", raising=False)
    (result,) = read_file(tmp_path / "report.pdf", "report")
    assert isinstance(result, Unreadable)
    assert result.reason.endswith("needs the extra `documents`: pip install 'parley[documents]'")


@pytest.mark.parametrize(
    ("name", "data", "library", "module"),
    [
        ("a.rst", b"Words.", "docutils", "ingest.formats.conversion.restructured"),
        ("a.tex", b"Words.", "pylatexenc", "ingest.formats.conversion.latex"),
        ("a.rtf", b"{\\rtf1 Words.}", "striprtf.striprtf", "ingest.formats.conversion.rich_text"),
        ("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "olefile", ""),
    ],
)
def test_so_does_one_of_a_format_that_has_a_library_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, library: str, module: str
) -> None:
    (tmp_path / name).write_bytes(data)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, module, raising=False)  # another test may have imported it
    (result,) = read_file(tmp_path / name, name)
    assert isinstance(result, Unreadable)
    assert result.reason.endswith("needs the extra `documents`: pip install 'parley[documents]'")


def test_the_command_says_that_it_needs_the_extra() -> None:
    program = "import sys; sys.modules['typer'] = None; from cli.__main__ import main; main()"
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert process.returncode == 1
    assert process.stderr == "The parley command needs the extra `cli`: pip install 'parley[cli]'\n"
