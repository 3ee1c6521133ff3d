"""Installs a package of one module as pip would, without a network: its module, its metadata and its entry points."""

import tomllib
from pathlib import Path


def install(package: Path, into: Path) -> None:
    """Install the package of a folder with `pyproject.toml` into a folder of packages."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    information = into / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    information.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (information / "METADATA").write_text(metadata, encoding="utf-8")
    groups = project["entry-points"].items()
    lines = [line for group, names in groups for line in (f"[{group}]", *(f"{n} = {v}" for n, v in names.items()))]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for module in package.glob("*.py"):
        (into / module.name).write_bytes(module.read_bytes())
