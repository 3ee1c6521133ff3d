"""What to ingest, and how: the options of `parley ingest` as values, checked against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.connection.gateway_connection import CommandError


@dataclass(frozen=True, slots=True)
class IngestJob:
    """One ingest as the user requests it.

    Raises:
        CommandError: `root` is not for exactly one file or folder, or is not a valid name; or both `ray` and `vectors`
            would give vectors.
    """

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
    vectors_later: bool = False
    """Whether a document is done before it has vectors, which are then made in the background."""
    progress: bool = False
    """Whether to write a line on progress every two seconds, even into a pipe."""
    ray: str | None = None
    """Address of a Ray cluster that reads, cuts and embeds; None: this process reads, and the suite does the rest."""
    allow_loopback: bool = False
    """Whether pages may be fetched from this machine's own addresses."""

    def __post_init__(self) -> None:
        if self.ray is not None and self.vectors is not None:
            raise CommandError("The option --ray makes vectors and --vectors brings them: give one of them.")
        if self.root is None:
            return
        if len(self.paths) != 1 or self.urls or self.sitemaps:
            raise CommandError("--root names one folder or file: give each its own name in a run of its own.")
        if not self.root.strip() or "/" in self.root:
            raise CommandError("--root must be a name without /, such as handbook.")
