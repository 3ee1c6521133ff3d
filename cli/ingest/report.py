"""What was read of each file, and what was left out of it: for the last line of an ingest, and as a file."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from cli.ingest.sources import Item
from ingest.documents import PassedOver, Unreadable, counts_in_words

MAX_PARTS: Final = 1000
"""Omissions of a file that are reported one by one; further ones are counted (taste)."""


@dataclass(slots=True)
class FileReport:
    """What was read of a file or page."""

    documents: int = 0
    characters: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """How often something was left out, by reason."""
    parts: list[Mapping[str, str | int]] = field(default_factory=list)
    """The first omissions."""
    error: str = ""
    """Why it gave no document, or none further; empty if it did."""

    def leave_out(self, *omissions: Mapping[str, str | int]) -> None:
        """Keep the first parts that are not in a document."""
        self.parts.extend(omissions[: MAX_PARTS - len(self.parts)])


@dataclass(slots=True)
class Report:
    """Filled in one thread while documents are read, and in another while they are acknowledged."""

    files: dict[str, FileReport] = field(default_factory=dict)

    def read(self, item: Item) -> None:
        """Count a document that was read."""
        file = self._file(item.where)
        file.documents += 1
        file.characters += len(item.document.text)
        file.counts.update(omission.reason for omission in item.omissions)
        file.leave_out(*map(asdict, item.omissions))

    def failed(self, failure: Unreadable | PassedOver) -> None:
        """Count a file that gave no document, or a line of it."""
        file = self._file(failure.where)
        if isinstance(failure, Unreadable) and failure.line is not None:
            file.leave_out({"reason": failure.reason, "place": f"line {failure.line}"})
        else:
            file.error = failure.reason

    def summary(self) -> str:
        """Such as "3 files: 2 pictures without recognised text, 1 hidden text"; empty if nothing was left out."""
        texts = [counts_in_words(file.counts) for file in self.files.values()]
        files = sum(map(bool, texts))
        total = counts_in_words(sum((file.counts for file in self.files.values()), Counter()))
        return f"{files:,} {'file' if files == 1 else 'files'}: {total}" if total else ""

    def write(self, path: Path) -> None:
        """Write a line of JSON for each file; raises OSError."""
        with path.open("w", encoding="utf-8", errors="backslashreplace") as lines:  # a name may be no text
            for name, file in self.files.items():
                fields = {
                    "file": name,
                    "documents": file.documents,
                    "characters": file.characters,
                    "left_out": file.counts,
                    "omissions": file.parts,
                    "error": file.error,
                }
                lines.write(f"{json.dumps(fields, ensure_ascii=False)}\n")

    def _file(self, where: str) -> FileReport:
        return self.files.setdefault(where, FileReport())
