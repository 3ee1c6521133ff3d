"""MTRAG's own files as its repository stores them; `--data` is the checkout, or one of the folders above a file.

The turns of a domain are in `mtrag-human/retrieval_tasks/<domain>/<domain>_lastturn.jsonl` (`human/…` in older
versions), with lines {_id "<conversation><::><turn>", text "|user|: question"}; its passages are in
`corpora/passage_level/<domain>.jsonl.zip`, with lines {_id, title, text, url}.
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

from cli.connection.gateway_connection import CommandError
from evaluation.tasks import Task
from ingest.detection.kinds import UNPACKING_ERRORS, open_text

TASK_FOLDERS: Final = ("mtrag-human/retrieval_tasks", "human/retrieval_tasks", "retrieval_tasks", "")
PASSAGE_FOLDERS: Final = ("corpora/passage_level", "passage_level", "")
KINDS: Final = ("lastturn", "questions")
"""Kinds of turn files, by preference: with the last turn alone, or with all questions up to it."""
BETWEEN: Final = "<::>"
"""Separates the conversation from the turn's number in an id."""
Check = Callable[[dict[str, Any]], bool]
"""Whether the fields of a line are valid."""
_ASKED = re.compile(r"\|user\|:[ \t]*")


def turns_file(data: Path, domain: str) -> Path | None:
    """Return the file of a domain's turns; None if there is none."""
    folders = [data / folder / place for folder in TASK_FOLDERS for place in (domain, "")]
    files = (folder / f"{domain}_{kind}.jsonl" for kind in KINDS for folder in folders)
    return next(filter(Path.is_file, files), None)


def passages_file(data: Path, domain: str) -> Path | None:
    """Return the file of a domain's passages, packed or not; None if there is none."""
    names = (f"{domain}.jsonl", f"{domain}.jsonl.gz", f"{domain}.jsonl.zip", f"{domain}.json.zip")
    return next(filter(Path.is_file, (data / folder / name for folder in PASSAGE_FOLDERS for name in names)), None)


def read_turns(path: Path, domain: str) -> list[Task]:
    """Read the turns of a file, in its order.

    Raises:
        CommandError: the file cannot be read, or a line is not a turn.
    """
    return [_task(fields, domain) for fields in _lines(path, "turn", _is_turn)]


@contextmanager
def as_passages(path: Path, domain: str) -> Iterator[Path]:
    """Yield a temporary folder that contains a domain's passages in the format of an ingest.

    Raises:
        CommandError: the file cannot be read, or a line is not a passage.
    """
    with TemporaryDirectory(prefix="parley-") as folder:
        with (Path(folder) / f"{domain}.passages.jsonl").open("w", encoding="utf-8") as file:
            for fields in _lines(path, "passage", _is_passage):
                optional_fields = {name: fields[name] for name in ("title", "text", "url") if fields.get(name)}
                file.write(json.dumps({"id": fields["_id"], **optional_fields}, ensure_ascii=False) + "\n")
        yield Path(folder)


def _lines(path: Path, kind: str, check: Check) -> Iterator[dict[str, Any]]:
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parse_checked(line, check, f"Line {number} of {path} is not a {kind} of MTRAG.")
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile, *UNPACKING_ERRORS):
        raise CommandError(f"The file {path} cannot be read.") from None


def _parse_checked(line: str, check: Check, otherwise: str) -> dict[str, Any]:
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
    """The last question of the user in a text."""
    return _ASKED.split(text)[-1].strip()


@contextmanager
def _open(path: Path) -> Iterator[TextIO]:
    """Open a text file, or the first JSON file in a zip archive."""
    if path.suffix != ".zip":
        with open_text(path) as file:
            yield file
        return
    with zipfile.ZipFile(path) as archive:
        names = (name for name in archive.namelist() if name.endswith((".jsonl", ".json")) and "__MACOSX" not in name)
        name = next(names, None)
        if name is None:
            raise zipfile.BadZipFile
        with archive.open(name) as member:
            yield TextIOWrapper(member, encoding="utf-8-sig")
