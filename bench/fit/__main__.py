"""Fit the weights of a task anew: `python -m bench.fit rank QUESTIONS...`, `… mark …`, `… near`, `… standing …`."""

import argparse
import sys
from importlib import import_module

TASKS = ("mark", "near", "rank", "standing", "wording")


def main() -> int:
    """Run the fit of the task that the first argument names, with the other arguments."""
    parser = argparse.ArgumentParser(description="Fit the weights of a task anew.", add_help=False)
    parser.add_argument("task", choices=TASKS)
    task, arguments = parser.parse_known_args()
    code: int = import_module(f"bench.fit.{task.task}").main(arguments)  # only wording needs torch
    return code


if __name__ == "__main__":
    sys.exit(main())
