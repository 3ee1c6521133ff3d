"""The scenarios of `clients/scenarios`, as values and as the JSON that programs of other languages read."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

FOLDER: Final = Path(__file__).parents[2] / "clients" / "scenarios"
NAMES: Final = tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def scenario(name: str) -> dict[str, Any]:
    """A scenario whose `{run}` is filled in anew."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8").replace("{run}", secrets.token_hex(4))
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def steps(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and fields of each step."""
    for step in scenario(name)["steps"]:
        yield from step.items()


def several(address: str) -> str:
    """Two gateways, of which the first cannot be reached."""
    return f"127.0.0.1:1,{address}"


def written(folder: Path, address: str, proxy: str, names: tuple[str, ...] = NAMES) -> Path:
    """The scenarios with the addresses of suite and proxy, as a JSON file."""
    file = folder / "scenarios.json"
    plan = {
        "address": address,
        "proxy": proxy,
        "several": several(address),
        "scenarios": [scenario(name) for name in names],
    }
    file.write_text(json.dumps(plan), encoding="utf-8")
    return file
