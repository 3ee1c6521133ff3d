"""Exits 0 if a process reports SERVING, else 1: `python -m libs.runtime.serving.probe 127.0.0.1:50051`."""

import asyncio
import sys

from libs.runtime.serving.health import health_of

if __name__ == "__main__":
    sys.exit(0 if asyncio.run(health_of(sys.argv[1], timeout=3.0)) == "SERVING" else 1)
