"""What to ingest, and how."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IngestJob:
    """One ingest as the user requests it."""

    paths: Sequence[Path]
    """Files and folders."""
    collection: str = ""
    whole: bool = False
    vectors: Path | None = None
    vectors_model: str = ""
    urls: Sequence[str] = ()
    sitemaps: Sequence[str] = ()
    principals: tuple[str, ...] = ()
    """Principals of documents that do not name their own."""
    owners: tuple[str, ...] = ()
    """The principals of who ingests, to whom new documents belong."""
    root: str | None = None
    """Prefix of the ids of the one folder or file, wherever it lies; None: its own name."""
    prune: bool = False
    """Whether to delete documents that the folders, and files with several documents, no longer contain."""
    progress: bool = False
    """Whether to write a line on progress every two seconds, even into a pipe."""
    ray: str | None = None
    """Address of a Ray cluster that reads, cuts and embeds; None: this process reads, and the suite does the rest."""
    allow_loopback: bool = False
    """Whether pages may be fetched from this machine's own addresses."""
