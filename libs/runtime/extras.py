"""Libraries that the package installs only with an extra, and what to say where one is missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from libs.runtime.settings import SettingsError


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package."""

    purpose: str
    """What needs it, as the subject of a sentence."""
    modules: tuple[str, ...]
    """The top-level modules that it installs."""


OUTLOOK: Final = ("olefile", "oxmsg")
EXTRAS: Final[Mapping[str, Extra]] = {
    "auth": Extra("Checking the tokens of an identity provider", ("jwt", "cryptography")),
    "calendar": Extra("Writing a timeline as an iCalendar file", ("icalendar",)),
    "cli": Extra("The parley command", ("typer", "rich")),
    "documents": Extra(
        "Reading PDF, Office, HTML, LaTeX and picture files",
        ("charset_normalizer", "docutils", "lxml", "PIL", "pylatexenc", "pypdfium2", "striprtf", "yaml", *OUTLOOK),
    ),
    "http": Extra("The HTTP server", ("mcp", "starlette", "uvicorn")),
    "models": Extra("Converting and downloading models", ("huggingface_hub", "onnx")),
    "postgres": Extra("Keeping the corpus in PostgreSQL", ("psycopg",)),
    "telemetry": Extra(
        "Exporting traces and metrics",
        ("opentelemetry.sdk", "opentelemetry.exporter", "prometheus_client"),
    ),
    "web": Extra("Reading pages of the web", ("lxml", "protego", "trafilatura")),
}
"""What `parley[all]` installs, by name."""


def remedy(name: str) -> str:
    """What an extra is needed for, and the command that installs it."""
    return f"{EXTRAS[name].purpose} needs the extra `{name}`: pip install 'parley[{name}]'"


def missing_extra(error: ModuleNotFoundError) -> SettingsError | None:
    """The error to report in place of a failed import; None for a module of no extra."""
    module = f"{error.name}."
    for name, extra in EXTRAS.items():
        if any(module.startswith(f"{part}.") for part in extra.modules):
            return SettingsError(remedy(name))
    return None
