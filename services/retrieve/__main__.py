"""The retrieve stage as a process, by default on port 50054 (taste): `python -m services.retrieve`."""

from libs.runtime.serving.stage import run_stage
from services.retrieve.stage import open_stage

if __name__ == "__main__":
    run_stage(lambda _: open_stage(), port=50054)
