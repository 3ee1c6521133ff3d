"""Runs the timeline stage as its own process, by default on port 50056 (taste): `python -m services.timeline`."""

from libs.runtime.serving.stage import run_stage
from services.timeline.stage import open_stage

if __name__ == "__main__":
    run_stage(lambda _: open_stage(), port=50056)
