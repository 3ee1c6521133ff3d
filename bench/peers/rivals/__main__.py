"""`python -m bench.peers.rivals NAME BASE STUB QUESTIONS CALLERS SECONDS` runs one in the rivals' environment.

Prints `Figures` as the last line.
"""
# mypy: ignore-errors

import asyncio
import os
import sys
from importlib import import_module
from pathlib import Path

import psutil

from bench.peers.base import Base
from bench.peers.load import Load, measure
from bench.peers.rivals.common import Encoder, Material

QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_WAIT_POLICY": "PASSIVE",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "OPENAI_API_KEY": "none",
}


async def main(name: str, folder: Path, stub: str, load: Load) -> None:
    """Build it, measure it."""
    base = Base(folder)
    material, encoder = Material(base), Encoder()
    engine = import_module(f"bench.peers.rivals.{name}_engine").build(material, encoder, stub)
    figures = await measure(name, engine, base.turns(), {name: psutil.Process()}, stub, load)
    sys.stdout.write(f"\n{figures.as_json()}\n")


if __name__ == "__main__":
    os.environ.update(QUIET)
    rival, place, address, *numbers = sys.argv[1:]
    asyncio.run(main(rival, Path(place), address, Load(*(int(number) for number in numbers))))
