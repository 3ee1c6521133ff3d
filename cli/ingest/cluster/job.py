"""The job of Ray Data: files -> documents -> documents with vectors, in the order of the files.

The command line walks the folders and sends what comes back; workers only read, cut and embed. A worker that dies is
replaced, and Ray repeats its task. A task that kills its worker again and again is given up: its files are reported as
failed, and the rest goes on.
"""

import logging
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cli.connection.gateway_connection import CommandError
from cli.ingest.cluster.connection import connected
from cli.ingest.cluster.rows import Row, delivered, unpacked_rows
from cli.ingest.cluster.workers import (
    EmbeddingOptions,
    FileReader,
    PassageEmbedder,
    ReadingOptions,
    StoredDocuments,
)
from cli.ingest.sources import ReadItem
from ingest.content import Content

BLOCK_BYTES: Final = 1024 * 1024
"""Size at which results become a block, which one worker embeds: about half a minute of work for a core."""
FILES: Final = 16
"""Files that a worker reads in one task, unless there are so many that the tasks would be too many."""
MOST_TASKS: Final = 10_000
RETRIES: Final = 3
"""How often a task is repeated whose worker died."""


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """What the workers are to do."""

    address: str
    contents: Sequence[Content]
    """The files, by paths that lead to them on every machine."""
    reading: ReadingOptions
    embedding: EmbeddingOptions
    stored_documents: StoredDocuments


def run_job(job: ClusterJob, began: Callable[[str], None]) -> Iterator[ReadItem]:
    """Yield what the files gave, in their order, documents with vectors; a file's name is passed to `began`.

    Raises:
        CommandError: there is no such cluster, or its workers cannot do their work.
    """
    if not job.contents:
        return
    with connected(job.address):
        yield from delivered(_rows(job), [content.where for content in job.contents], began)


def _rows(job: ClusterJob) -> Iterator[Row]:
    from ray.data import DataContext
    from ray.exceptions import RayError
    from ray.util.annotations import RayDeprecationWarning

    _configure(DataContext.get_current())
    with warnings.catch_warnings(category=RayDeprecationWarning, action="ignore"):  # the only way to limit retries yet
        dataset = _dataset(job)
    try:
        for batch in dataset.iter_batches(batch_size=None, batch_format="numpy", prefetch_batches=1):
            yield from unpacked_rows(batch)
    except RayError as error:
        raise CommandError(
            "the Ray cluster failed: is parley of this version with the extra ray installed on each of its machines? "
            f"({type(error).__name__}: {_first_line(error)})"
        ) from None


def _configure(context: Any) -> None:
    """Settings of Ray Data: results keep the order of the files, since the later of two equal ids counts."""
    context.execution_options.preserve_order = True
    context.target_max_block_size = BLOCK_BYTES
    context.max_errored_blocks = -1  # `delivered` reports the files whose results are missing
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


def _dataset(job: ClusterJob) -> Any:
    """The dataset, which runs once it is iterated."""
    import ray.data

    rows = [{"place": place, "content": pickle.dumps(content)} for place, content in enumerate(job.contents)]
    tasks = max(1, min(-(-len(rows) // FILES), MOST_TASKS))
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call,unused-ignore]
    worker_options: dict[str, Any] = {
        "compute": ray.data.ActorPoolStrategy(
            size=max(1, int(resources.get("CPU", 1))), max_tasks_in_flight_per_actor=1
        ),
        "batch_size": None,
        "max_task_retries": RETRIES,
    }
    files = ray.data.from_items(rows, override_num_blocks=tasks)
    # A reader waits for an embedder most of the time, and shares its core.
    documents = files.map_batches(FileReader, fn_constructor_args=(job.reading,), num_cpus=0, **worker_options)
    stored_documents = partial(ray.get, ray.put(job.stored_documents))  # not a copy per task
    arguments = (job.embedding, stored_documents)
    return documents.map_batches(PassageEmbedder, fn_constructor_args=arguments, num_cpus=1, **worker_options)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "")
