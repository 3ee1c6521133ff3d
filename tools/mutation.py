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
from pathlib import Path
from typing import Final, NamedTuple

MUTMUT: Final = (sys.executable, "-m", "mutmut")
EQUIVALENTS: Final = Path(__file__).with_name("mutation_equivalents.toml")
RESULT: Final = re.compile(r"(?P<name>(?P<module>[\w.]+)\.x[_ǁ]\S*): (?P<result>.+)")  # as mutmut prints it
KILLED: Final = frozenset({"killed", "timeout", "segfault"})
"""Results of mutmut that count as seen: it also ends what does not come to an end."""


class Change(NamedTuple):
    """What a mutant changes, as lines without their indent."""

    module: str
    before: str
    after: str


def read_change(module: str, difference: str) -> Change:
    """From the unified difference that `mutmut show` prints."""
    lines = [line for line in difference.splitlines() if not line.startswith(("---", "+++"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)).strip() for sign in ("-", "+")
    )
    return Change(module, before, after)


def read_equivalents(text: str) -> set[Change]:
    """Changes by which no result differs: tables `[[change]]` of module, before, after, reason."""
    return {Change(each["module"], each["before"], each["after"]) for each in tomllib.loads(text)["change"]}


def _mutmut(*arguments: str) -> str:
    return subprocess.run([*MUTMUT, *arguments], check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Run, and print; 1 when a mutant survived that is not known to be equivalent."""
    shutil.rmtree("mutants", ignore_errors=True)  # mutmut keeps results there, of tests that may have changed since
    subprocess.run([*MUTMUT, "run", "--max-children", "1"], check=True)  # leaves other cores alone
    mutants = list(RESULT.finditer(_mutmut("results", "--all", "true")))
    survivors = [mutant for mutant in mutants if mutant["result"] not in KILLED]
    changes = {mutant["name"]: read_change(mutant["module"], _mutmut("show", mutant["name"])) for mutant in survivors}
    equivalents = read_equivalents(EQUIVALENTS.read_text(encoding="utf-8"))
    others = {name: change for name, change in changes.items() if change not in equivalents}
    lines = [f"{name}\n- {change.before}\n+ {change.after}" for name, change in others.items()]
    stale = equivalents - set(changes.values())
    lines += [f"{change.module}: listed as equivalent, but seen\n+ {change.after}" for change in stale]
    lines.append(
        f"{len(mutants)} mutants, {len(survivors)} not seen, {len(survivors) - len(others)} of them equivalent"
    )
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
