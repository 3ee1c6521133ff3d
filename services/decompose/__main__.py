"""Run the decompose stage as a separate process until a signal, on its port: `python -m services.decompose`."""

from libs.runtime.serving.stage import run_stage
from services.decompose.stage import open_stage

if __name__ == "__main__":
    run_stage(lambda _: open_stage(), port=50053)
