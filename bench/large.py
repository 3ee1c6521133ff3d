"""A text of 1,000 pages and a table of 50,000 rows: `python -m bench.large`.

Seconds and greatest resident memory of `parley ingest` and of the retrieve process (read from /proc: Linux alone).
Sizes and the seeds of the made-up words are chosen by hand.
"""

import csv
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.samples import report
from bench.suite import PARLEY, RunningSuite, running_suite

PAGES: Final = 1000
ROWS: Final = 50_000
LOOK_SECONDS: Final = 0.2
"""Between two looks at a process that may end."""
PARAGRAPHS: Final = 5
"""Of a page."""
WORDS: Final = (
    "antenna camera craft crater drill dust engine heat ice landing launch mast mission moon orbit probe radio relay "
    "rock rover sample signal soil stage star storm sun surface tank valve water wheel wind"
)


@dataclass(frozen=True, slots=True)
class IngestCost:
    """What an ingest took, and said."""

    seconds: float
    command_megabytes: float
    """Greatest resident memory of the command, in 10^6 bytes."""
    retrieve_megabytes: float
    """That of the retrieve process since it began."""
    output: str


def write_text(file: Path) -> Path:
    """A text of pages of about 2,900 characters, a chapter each."""
    chance = random.Random(7)
    with file.open("w") as out:
        out.writelines(_page(number, chance) for number in range(1, PAGES + 1))
    return file


def write_table(file: Path) -> Path:
    """A table of five columns."""
    chance = random.Random(7)
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("number", "part", "place", "mass in kg", "remark"))
        writer.writerows(_row(number, chance) for number in range(1, ROWS + 1))
    return file


def ingest(suite: RunningSuite, file: Path, collection: str) -> IngestCost:
    """Ingest a file by the command line; what it took."""
    start = time.perf_counter()
    command = (*PARLEY, "ingest", str(file), "--collection", collection, "--port", str(suite.port))
    peak = 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        while child.poll() is None:  # what the kernel tells at the end counts what the parent had
            peak = max(peak, peak_megabytes(child.pid))
            time.sleep(LOOK_SECONDS)
        output = child.stdout.read()
        seconds = time.perf_counter() - start
    return IngestCost(seconds, peak, peak_megabytes(suite.processes()["retrieve"].pid), output)


def peak_megabytes(process: int) -> float:
    """Greatest resident memory of a process so far, in 10^6 bytes, as Linux tells it."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return int(fields.get("VmHWM", "0").split()[0]) * 1024 / 1e6  # one that has ended tells none


def _page(number: int, chance: random.Random) -> str:
    paragraphs = "\n\n".join(_sentence(90, chance) for _ in range(PARAGRAPHS))
    return f"{number}. Chapter {number}\n\n{paragraphs}\n\n"


def _row(number: int, chance: random.Random) -> tuple[object, ...]:
    return number, _words(2, chance), _words(1, chance), chance.randrange(1, 900), _sentence(6, chance)


def _sentence(words: int, chance: random.Random) -> str:
    return f"{_words(words, chance).capitalize()}."


def _words(count: int, chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS.split(), k=count))


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as name, running_suite(Path(name) / "data") as suite:
        folder = Path(name)
        rows = [("retrieve before", f"{peak_megabytes(suite.processes()['retrieve'].pid):.0f} MB", "")]
        for file in (write_text(folder / "long.txt"), write_table(folder / "long.csv")):
            took = ingest(suite, file, "large")
            size = f"{file.name}, {file.stat().st_size / 1e6:.1f} MB"
            memory = f"command {took.command_megabytes:.0f} MB, retrieve {took.retrieve_megabytes:.0f} MB"
            rows.append((size, f"{took.seconds:.0f} s, {memory}", took.output.strip()))
    report("Large files", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
