"""What is to be ingested, and how."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IngestJob:
    """What a user asks for."""

    paths: Sequence[Path]
    """Files and folders."""
    collection: str = ""
    whole: bool = False
    vectors: Path | None = None
    vectors_model: str = ""
    urls: Sequence[str] = ()
    sitemaps: Sequence[str] = ()
    principals: tuple[str, ...] = ()
    """Who may see the documents that do not say it themselves."""
    root: str | None = None
    """What the ids of the one folder or file begin with, wherever it lies; None: its own name."""
    prune: bool = False
    """What the folders, and the files that hold several documents, no longer hold is deleted."""
    progress: bool = False
    """A line every two seconds says how far it is, even into a pipe."""
    allow_loopback: bool = False
    """Whether this machine's own addresses may be asked for pages."""
