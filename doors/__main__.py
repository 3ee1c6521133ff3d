"""The HTTP server's process: `python -m doors`; exits with a message where a setting or a file cannot be used."""

from collections.abc import Sequence

from doors.settings import DoorsSettings
from libs.runtime.serving.process import run


async def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until asked to stop; the arguments are the process's own if there are none."""
    # Imported here, so that `run` can say what is missing if the extra `http` is not installed.
    from doors.app import open_app
    from doors.serving import serve_app

    settings = DoorsSettings.from_args(arguments)
    async with open_app(settings) as app:
        await serve_app(app, settings)


if __name__ == "__main__":
    run(main)
