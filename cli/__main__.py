"""Starts the `parley` command, and says which extra is missing if it or one of its commands cannot be imported."""

import os
import sys
from pathlib import Path

from libs.runtime.extras import missing_extra


def main() -> None:
    """Entry point."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, and the next file that is opened would have its place
            setattr(sys, name, Path(os.devnull).open("r+", encoding="utf-8"))
    try:
        from cli.app import command_line

        command_line()()
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is None:
            raise
        sys.exit(str(missing))
    except KeyboardInterrupt:  # before a command has begun
        sys.exit(130)


if __name__ == "__main__":
    main()
