"""The gateway's process."""

from functools import partial

from gateway.stage import open_stage
from services.runtime.process import run
from services.runtime.settings import ServerSettings
from services.runtime.stage import serve_stages

if __name__ == "__main__":
    settings = ServerSettings.from_args(port=50051)
    run(lambda: serve_stages(settings, [partial(open_stage, settings)]))
