"""Run the answer stage as a separate process, by default on port 50055 (taste): `python -m services.answer`."""

from libs.runtime.serving.stage import run_stage
from services.answer.stage import open_stage

if __name__ == "__main__":
    run_stage(lambda _: open_stage(), port=50055)
