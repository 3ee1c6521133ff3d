"""Fit the weights of a task anew: `python -m bench.fit rank QUESTIONS...`."""

import argparse
import sys

from bench.fit import rank

TASKS = {"rank": rank.main}


def main() -> int:
    """Run the fit of the task that the first argument names, with the other arguments."""
    parser = argparse.ArgumentParser(description="Fit the weights of a task anew.", add_help=False)
    parser.add_argument("task", choices=TASKS)
    task, arguments = parser.parse_known_args()
    return TASKS[task.task](arguments)


if __name__ == "__main__":
    sys.exit(main())
