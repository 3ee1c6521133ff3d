"""Whether the tests of two rooms see their code changed: `python -m tools.mutation` (`make mutation`).

mutmut changes one thing at a time in the files that `[tool.mutmut]` names and runs the tests that it names. A change
that no test sees has survived: a specification is missing, or the code is not needed, or the change is equivalent: no
result differs. Equivalent ones are listed with the reason in `tools/mutation_equivalents.toml`.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

MUTMUT: Final = (sys.executable, "-m", "mutmut")
EQUIVALENTS: Final = Path(__file__).with_name("mutation_equivalents.toml")
FUNCTION: Final = re.compile(r"(?P<module>[\w.]+)\.x[_ǁ]")
KILLED: Final = frozenset({"killed", "timeout", "segfault"})
"""Results of mutmut that count as seen: it also ends what does not come to an end."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed function."""

    name: str
    result: str
    """mutmut's word for what became of it."""

    @property
    def module(self) -> str:
        """The module that was changed.

        Raises:
            ValueError: the name is not one of mutmut's.
        """
        match = FUNCTION.match(self.name)
        if match is None:
            raise ValueError(f"{self.name!r} is no mutant")
        return match["module"]


@dataclass(frozen=True, slots=True)
class Change:
    """What a mutant changes, as lines without their indent."""

    module: str
    before: str
    after: str


def read_mutants(results: str) -> Iterator[Mutant]:
    """From the lines `name: result` of `mutmut results`."""
    for line in results.splitlines():
        name, separator, result = line.strip().rpartition(": ")
        if separator and FUNCTION.match(name):
            yield Mutant(name, result)


def read_change(module: str, difference: str) -> Change:
    """From the unified difference that `mutmut show` prints."""
    lines = [line for line in difference.splitlines() if not line.startswith(("---", "+++"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)).strip() for sign in ("-", "+")
    )
    return Change(module, before, after)


def read_equivalents(text: str) -> Mapping[Change, str]:
    """Changes with the reason why no result differs: tables `[[change]]` of module, before, after, reason."""
    changes = tomllib.loads(text)["change"]
    return {Change(each["module"], each["before"], each["after"]): each["reason"] for each in changes}


def report(console: Console, mutants: Sequence[Mutant], equivalent: Sequence[Mutant]) -> None:
    """A line a module, and the sums."""
    table = Table(title="Mutants", title_justify="left")
    for column in ("module", "mutants", "killed", "survived", "of them equivalent"):
        table.add_column(column)
    counts, killed_count, entries = (
        Counter(mutant.module for mutant in some)
        for some in (mutants, [mutant for mutant in mutants if mutant.result in KILLED], equivalent)
    )
    for module in sorted(counts):
        row = (counts[module], killed_count[module], counts[module] - killed_count[module], entries[module])
        table.add_row(module, *map(str, row))
    sums = (counts.total(), killed_count.total(), counts.total() - killed_count.total(), entries.total())
    table.add_row("all", *map(str, sums))
    console.print(table)


def mutmut(*arguments: str) -> str:
    """What a command of mutmut prints.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    return subprocess.run([*MUTMUT, *arguments], check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Run, and print; 1 when a mutant survived that is not known to be equivalent."""
    shutil.rmtree("mutants", ignore_errors=True)  # mutmut keeps results there, of tests that may have changed since
    subprocess.run([*MUTMUT, "run", "--max-children", "1"], check=True)
    mutants = list(read_mutants(mutmut("results", "--all", "true")))
    survivors = [mutant for mutant in mutants if mutant.result not in KILLED]
    changes = {mutant: read_change(mutant.module, mutmut("show", mutant.name)) for mutant in survivors}
    reasons = read_equivalents(EQUIVALENTS.read_text(encoding="utf-8"))
    console = Console()
    report(console, mutants, [mutant for mutant in survivors if changes[mutant] in reasons])
    others = {mutant: change for mutant, change in changes.items() if change not in reasons}
    for mutant, change in others.items():
        console.print(f"{mutant.name} {mutant.result}\n- {change.before}\n+ {change.after}", markup=False)
    for change in reasons.keys() - changes.values():
        console.print(f"{change.module}: listed as equivalent, but seen\n+ {change.after}", markup=False)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
