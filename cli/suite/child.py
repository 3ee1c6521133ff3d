"""Runs a module as a child of the supervisor and stops it if the supervisor dies in any way (Linux)."""

import ctypes
import os
import runpy
import signal
import sys
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # from linux/prctl.h


def main() -> None:
    """`python -m cli.suite.child PARENT NICENESS MODULE [ARGUMENT …]`."""
    parent, niceness, module, *arguments = sys.argv[1:]
    os.nice(int(niceness))  # before there are threads, which inherit it
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        return  # the parent died before prctl took effect
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
