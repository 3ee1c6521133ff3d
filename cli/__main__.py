"""Starts the `parley` command, and says which extra is missing if it or one of its commands cannot be imported."""

import os
import signal
import sys
from pathlib import Path

from libs.runtime.extras import missing_extra


def main() -> None:
    """Entry point."""
    _open_closed_streams()
    try:
        from cli.app import command_line

        command_line()()
    except ModuleNotFoundError as error:
        if (missing := missing_extra(error)) is None:
            raise
        sys.exit(str(missing))
    except KeyboardInterrupt:  # before a command has begun
        sys.exit(130)
    finally:  # what is done is told: Ctrl-C while the interpreter ends would say otherwise
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _open_closed_streams() -> None:
    """Let standard streams that are closed (`>&-`) lead nowhere; else the next file would take their place."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process


if __name__ == "__main__":
    main()
