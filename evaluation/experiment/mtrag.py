"""MTRAG's own files, as its repository lays them out; `--data` is the checkout, or one of the folders above a file.

The turns of a domain stand in `mtrag-human/retrieval_tasks/<domain>/<domain>_lastturn.jsonl` (`human/…` in its older
versions), a line {_id "<conversation><::><turn>", text "|user|: question"}; its passages in
`corpora/passage_level/<domain>.jsonl.zip`, a line {_id, title, text, url}.
"""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TextIO

from cli.door import CommandError
from evaluation.tasks import Task
from ingest.kinds import UNPACKING_ERRORS, open_text

TASK_FOLDERS: Final = ("mtrag-human/retrieval_tasks", "human/retrieval_tasks", "retrieval_tasks", "")
PASSAGE_FOLDERS: Final = ("corpora/passage_level", "passage_level", "")
KINDS: Final = ("lastturn", "questions")
"""Of the files of turns, the first that is there: with the last turn alone, or with all questions up to it."""
BETWEEN: Final = "<::>"
"""Stands in an id between the conversation and the number of its turn."""
Check = Callable[[dict[str, Any]], bool]
"""Whether the fields of a line are what they should be."""
_ASKED = re.compile(r"\|user\|:[ \t]*")


def turns_file(data: Path, domain: str) -> Path | None:
    """Where a domain's turns are; None where there is no such file."""
    folders = [data / folder / place for folder in TASK_FOLDERS for place in (domain, "")]
    files = (folder / f"{domain}_{kind}.jsonl" for kind in KINDS for folder in folders)
    return next(filter(Path.is_file, files), None)


def passages_file(data: Path, domain: str) -> Path | None:
    """Where a domain's passages are, packed or not; None where there is no such file."""
    names = (f"{domain}.jsonl", f"{domain}.jsonl.gz", f"{domain}.jsonl.zip", f"{domain}.json.zip")
    return next(filter(Path.is_file, (data / folder / name for folder in PASSAGE_FOLDERS for name in names)), None)


def read_turns(path: Path, domain: str) -> list[Task]:
    """The turns of a file, in its order.

    Raises:
        CommandError: it cannot be read, or a line is no turn.
    """
    return [_task(fields, domain) for fields in _lines(path, "turn", _is_turn)]


@contextmanager
def as_passages(path: Path, domain: str) -> Iterator[Path]:
    """A folder, gone behind the context, that holds a domain's passages as they are ingested.

    Raises:
        CommandError: the file cannot be read, or a line is no passage.
    """
    with TemporaryDirectory(prefix="parley-") as folder:
        with (Path(folder) / f"{domain}.passages.jsonl").open("w", encoding="utf-8") as file:
            for fields in _lines(path, "passage", _is_passage):
                told = {name: fields[name] for name in ("title", "text", "url") if fields.get(name)}
                file.write(json.dumps({"id": fields["_id"], **told}, ensure_ascii=False) + "\n")
        yield Path(folder)


def _lines(path: Path, what: str, check: Check) -> Iterator[dict[str, Any]]:
    try:
        with _opened(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _checked(line, check, f"Line {number} of {path} is no {what} of MTRAG's.")
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile, *UNPACKING_ERRORS):
        raise CommandError(f"The file {path} cannot be read.") from None


def _checked(line: str, check: Check, otherwise: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except ValueError:
        raise CommandError(otherwise) from None
    if not isinstance(fields, dict) or not check(fields):
        raise CommandError(otherwise)
    return fields


def _is_passage(fields: dict[str, Any]) -> bool:
    return isinstance(fields.get("_id"), str) and isinstance(fields.get("text"), str)


def _is_turn(fields: dict[str, Any]) -> bool:
    return _is_passage(fields) and fields["_id"].rpartition(BETWEEN)[2].isdecimal() and bool(_last(fields["text"]))


def _task(fields: dict[str, Any], domain: str) -> Task:
    conversation, _, number = fields["_id"].rpartition(BETWEEN)
    question = _last(fields["text"])
    return Task(fields["_id"], domain, "", question, conversation_id=conversation, turn=int(number))


def _last(text: str) -> str:
    """The last question that somebody asks in a text."""
    return _ASKED.split(text)[-1].strip()


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """The lines of a file, or of the first file in a zip archive."""
    if path.suffix != ".zip":
        with open_text(path) as file:
            yield file
        return
    with zipfile.ZipFile(path) as archive:
        names = (name for name in archive.namelist() if name.endswith((".jsonl", ".json")) and "__MACOSX" not in name)
        name = next(names, None)
        if name is None:
            raise zipfile.BadZipFile
        with archive.open(name) as packed:
            yield TextIOWrapper(packed, encoding="utf-8-sig")
