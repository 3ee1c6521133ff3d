"""The gateway's process: serves until SIGTERM or SIGINT asks it to stop."""

from gateway.stage import open_stage
from libs.runtime.serving.stage import run_stage

if __name__ == "__main__":
    run_stage(open_stage, port=50051)  # as in gRPC's own examples
