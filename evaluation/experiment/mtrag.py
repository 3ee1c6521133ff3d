"""MTRAG's own files as its repository stores them; `--data` is the checkout, or one of the folders above a file.

The turns of a domain are in `mtrag-human/retrieval_tasks/<domain>/<domain>_lastturn.jsonl` (`human/…` in older
versions), with lines {_id "<conversation><::><turn>", text "|user|: question"}; its passages are in
`corpora/passage_level/<domain>.jsonl.zip`, with lines {_id, title, text, url}.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from evaluation.files import read_lines
from evaluation.tasks import Task

TASK_FOLDERS: Final = ("mtrag-human/retrieval_tasks", "human/retrieval_tasks", "retrieval_tasks", "")
PASSAGE_FOLDERS: Final = ("corpora/passage_level", "passage_level", "")
BETWEEN: Final = "<::>"
"""Separates the conversation from the turn's number in an id."""
_ASKED = re.compile(r"\|user\|:[ \t]*")


def turns_file(data: Path, domain: str) -> Path | None:
    """Return the file of a domain's turns; None if there is none."""
    folders = (data / folder / place for folder in TASK_FOLDERS for place in (domain, ""))
    return next(filter(Path.is_file, (folder / f"{domain}_lastturn.jsonl" for folder in folders)), None)


def passages_file(data: Path, domain: str) -> Path | None:
    """Return the file of a domain's passages, packed or not; None if there is none."""
    names = (f"{domain}.jsonl", f"{domain}.jsonl.gz", f"{domain}.jsonl.zip", f"{domain}.json.zip")
    return next(filter(Path.is_file, (data / folder / name for folder in PASSAGE_FOLDERS for name in names)), None)


def read_turns(path: Path, domain: str) -> list[Task]:
    """Read the turns of a file, in its order.

    Raises:
        CommandError: the file cannot be read, or a line is not a turn.
    """
    return list(read_lines(path, partial(_task, domain), "a turn of MTRAG"))


@contextmanager
def as_passages(path: Path, domain: str) -> Iterator[Path]:
    """Yield a temporary folder that contains a domain's passages in the format of an ingest.

    Raises:
        CommandError: the file cannot be read, or a line is not a passage.
    """
    with TemporaryDirectory(prefix="parley-") as folder:
        with (Path(folder) / f"{domain}.passages.jsonl").open("w", encoding="utf-8") as file:
            for passage in read_lines(path, _passage, "a passage of MTRAG"):
                file.write(json.dumps(passage, ensure_ascii=False) + "\n")
        yield Path(folder)


def _passage(fields: dict[str, Any]) -> dict[str, str]:
    if not isinstance(fields["_id"], str) or not isinstance(fields["text"], str):
        raise TypeError("_id and text must be texts")
    return {"id": fields["_id"], **{name: fields[name] for name in ("title", "text", "url") if fields.get(name)}}


def _task(domain: str, fields: dict[str, Any]) -> Task:
    conversation, _, number = fields["_id"].rpartition(BETWEEN)
    question = _ASKED.split(fields["text"])[-1].strip()
    if not question:
        raise ValueError("text has no question")
    return Task(fields["_id"], domain, "", question, conversation_id=conversation, turn=int(number))
