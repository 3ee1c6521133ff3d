"""The image's file follows hadolint's rules, and what it copies is there, the console's page with it."""

import re
import tomllib
from fnmatch import fnmatch

import pytest

from doors.console_files import CONSOLE
from tests.deploy.tools import ROOT, run

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STAGES = {match[2] or "": match[0] for match in re.finditer(r"FROM \S+( AS (\w+))?\n(?:(?!FROM ).*\n?)*", DOCKERFILE)}
"""The text of each stage by its name; the last one has none."""
RULES = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
FOLDER = CONSOLE.relative_to(ROOT).as_posix()


def copied(stage: str) -> list[str]:
    """What a stage copies out of the checkout."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", STAGES[stage], re.MULTILINE)
    return [path for line in lines for path in line.split()]


def is_sent(path: str) -> bool:
    """Whether a path of the checkout is sent to the builder: the last rule that fits decides."""
    parents = ["/".join(path.split("/")[:end]) for end in range(1, path.count("/") + 2)]
    fitting = [rule for rule in RULES if any(fnmatch(each, rule.removeprefix("!")) for each in parents)]
    return fitting[-1].startswith("!")


def test_hadolint_accepts_the_dockerfile() -> None:
    process = run("hadolint", "Dockerfile", cwd=ROOT)
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize("stage", ["console", "build"])
def test_what_is_copied_exists_and_is_sent_to_the_builder(stage: str) -> None:
    assert len(copied(stage)) >= 2
    assert [path for path in copied(stage) if not (ROOT / path).exists()] == []
    assert [path for path in copied(stage) if not is_sent(path)] == []


def test_the_page_is_built_where_the_build_puts_it_and_a_page_of_the_checkout_stays_out() -> None:
    configuration = (ROOT / "web" / "vite.config.ts").read_text(encoding="utf-8")
    (folder,) = re.findall(r'outDir: "\.\./(.+)"', configuration)
    assert folder == FOLDER
    assert f"COPY --from=console /src/{FOLDER} {FOLDER}\n" in STAGES["build"]
    assert "npm run --prefix web build" in STAGES["console"]
    assert not is_sent(f"{FOLDER}/index.html")
    assert STAGES["build"].index("COPY --from=console") < STAGES["build"].index("uv pip install --no-cache --python")


def test_the_wheel_takes_the_page_though_the_repository_has_none() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert f"{FOLDER}/**" in wheel["artifacts"]
    assert f"/{FOLDER}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    there = copied("build")
    assert [path for path in wheel["packages"] if not any(f"{path}/".startswith(f"{each}/") for each in there)] == []
