"""The answer stage as a process of its own: `python -m services.answer`."""

from services.answer.stage import open_stage
from services.runtime.stage import run_stage

if __name__ == "__main__":
    run_stage(open_stage, port=50055)
