"""Run the intent stage as a separate process until a signal, on its port: `python -m services.intent`."""

from libs.runtime.serving.stage import run_stage
from services.intent.stage import open_stage

if __name__ == "__main__":
    run_stage(lambda _: open_stage(), port=50052)
