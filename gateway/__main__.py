"""The gateway's process: serves until SIGTERM or SIGINT asks it to stop."""

from gateway.stage import open_stage
from libs.runtime.serving.process import run
from libs.runtime.serving.stage import serve_stage
from libs.runtime.settings import ServerSettings


async def main() -> None:
    """Serve until asked to stop."""
    settings = ServerSettings.from_args(port=50051)  # as in gRPC's own examples
    await serve_stage(settings, lambda: open_stage(settings))


if __name__ == "__main__":
    run(main)
