"""Structured logs on standard error, for people or as JSON; each line has its call's request id and trace id."""

import logging
import sys
from contextlib import suppress
from typing import Any, Final, TextIO

import structlog

from libs.runtime.settings import ServerSettings

HTTP_CLIENTS: Final = ("httpx", "httpx2", "httpcore", "httpcore2", "urllib3")
QUIET: Final = ("asyncio", "grpc", "mcp", "openai", "opentelemetry", *HTTP_CLIENTS)
"""Libraries whose messages below WARNING are dropped."""


def configure_logs(settings: ServerSettings, name: str) -> None:
    """Set up the logs of this process; those of libraries (stdlib logging) get the same format."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    shared_processors: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        lambda _logger, _method, event: {"process": name, **event},
    ]
    output: Any = _Unfailing(sys.stderr)
    rendering = _json() if settings.log_format == "json" else _console()
    foreign = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering]
    structlog.configure(
        processors=[*shared_processors, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(output),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(output)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared_processors, processors=foreign))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for library in QUIET:
        logging.getLogger(library).setLevel(max(level, logging.WARNING))
    logging.getLogger("grpc._common").setLevel(logging.CRITICAL)  # a message that it cannot decode is an error of ours


class _Unfailing:
    """A stream whose failures are ignored: a log on a full disk must not fail the calls that it tells of."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _json() -> list[Any]:
    # Without local variables: they may hold documents, prompts or keys.
    tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]


def _console() -> list[Any]:
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
