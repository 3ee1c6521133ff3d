"""Markdown, plain text and JSON lines as documents. A file or a line that cannot be read is told, never raised.

Each may be packed by gzip, with `.gz` after its name.

Markdown may begin with a block of YAML between two lines `---`: title, url, date, source, principals, images (path or
url, caption, width, height); other keys become metadata. JSON lines hold id, title, text, url, date, source,
principals, images, metadata, vector; other keys become metadata. An empty title, url or date counts as absent.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from gateway.ingest.documents import SourceDocument, Unreadable
from gateway.ingest.kinds import UNPACKING_ERRORS, kind_of, open_text, stem_of
from gateway.ingest.pictures import read_pictures

Read = SourceDocument | Unreadable

FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
HEADING: Final = re.compile(r"^#[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
KNOWN: Final = frozenset({"id", "title", "text", "url", "date", "source", "principals", "images", "metadata", "vector"})


class _BadFieldError(ValueError):
    """A field holds what it must not; the message names it."""


def read_file(path: Path, document_id: str) -> Iterator[Read]:
    """The documents of one file; `document_id` names it, and begins the ids of lines that have none."""
    reader = READERS.get(kind_of(path))
    if reader is None:
        yield Unreadable(path, f"is of no known kind ({', '.join(sorted(READERS))})")
        return
    try:
        with open_text(path) as file:
            text = file.read()
    except UnicodeDecodeError:
        yield Unreadable(path, "is not UTF-8 text")
    except OSError as error:
        yield Unreadable(path, error.strerror or "cannot be opened")
    except UNPACKING_ERRORS:
        yield Unreadable(path, "cannot be unpacked")
    else:
        yield from reader(path, document_id, text)


def _plain(path: Path, document_id: str, text: str) -> Iterator[Read]:
    yield SourceDocument(document_id, text, title=stem_of(path))


def _markdown(path: Path, document_id: str, text: str) -> Iterator[Read]:
    block = FRONT_MATTER.match(text)
    body = text[block.end() :] if block else text
    heading = HEADING.search(body)
    try:
        fields = _front_matter(block.group(1)) if block else {}
        fields.setdefault("title", heading.group(1) if heading else stem_of(path))
        yield _document(path, document_id, body, fields)
    except _BadFieldError as error:
        yield Unreadable(path, str(error))


def _front_matter(block: str) -> dict[str, Any]:
    try:
        fields = yaml.safe_load(block)
    except yaml.YAMLError:
        raise _BadFieldError("begins with a block that is not YAML") from None
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise _BadFieldError("begins with a block that holds no keys")
    return {str(key): value for key, value in fields.items()}


def _lines(path: Path, document_id: str, text: str) -> Iterator[Read]:
    for row, line in enumerate(text.split("\n")):  # not splitlines: a string may hold U+2028
        if not line.strip():
            continue
        try:
            yield _line(path, f"{document_id}#{row + 1}", line, row)
        except _BadFieldError as error:
            yield Unreadable(path, str(error), row + 1)


def _line(path: Path, document_id: str, line: str, row: int) -> SourceDocument:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError:
        raise _BadFieldError("is not JSON") from None
    if not isinstance(fields, dict):
        raise _BadFieldError("is no JSON object")
    text = fields.get("text") or ""
    if not isinstance(text, str):
        raise _BadFieldError("text: must be a string")
    return _document(path, _word(fields, "id") or document_id, text, fields, row)


def _document(path: Path, document_id: str, text: str, fields: Mapping[str, Any], row: int = 0) -> SourceDocument:
    given = _mapping(fields.get("metadata"), "metadata")
    others = {key: value for key, value in fields.items() if key not in KNOWN}
    try:
        images = read_pictures(path, fields.get("images"))
    except ValueError as error:
        raise _BadFieldError(f"images: {error}") from None
    return SourceDocument(
        document_id=document_id,
        text=text,
        title=_word(fields, "title"),
        url=_word(fields, "url"),
        date=_word(fields, "date"),
        source=_word(fields, "source"),
        metadata={str(key): _said(value) for key, value in {**others, **given}.items() if value is not None},
        principals=_words(fields.get("principals")),
        images=images,
        vector=_vector(fields.get("vector")),
        row=row,
    )


def _word(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    return "" if value is None else str(value).strip()


def _words(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise _BadFieldError("principals: must be a list of names")
    return tuple(value)


def _vector(value: Any) -> tuple[float, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, int | float) for item in value):
        raise _BadFieldError("vector: must be a list of numbers")
    return tuple(float(item) for item in value)


def _mapping(value: Any, name: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _BadFieldError(f"{name}: must be an object")
    return value


def _said(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


READERS: Final[Mapping[str, Callable[[Path, str, str], Iterator[Read]]]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".txt": _plain,
    ".jsonl": _lines,
}
