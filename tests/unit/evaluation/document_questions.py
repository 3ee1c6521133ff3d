"""Questions over documents as tests write them."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.documents.questions import CORPORA, QUESTIONS, DocumentQuestion


def question(id: str = "q", *groups: tuple[str, ...], **fields: Any) -> DocumentQuestion:
    """A first turn of corpus `a`; it can be answered where facts are given."""
    facts = tuple(tuple(re.compile(word, re.IGNORECASE | re.DOTALL) for word in group) for group in groups)
    values: dict[str, Any] = {"corpus": "a", "conversation": "c", "turn": 1, "question": "What?", "standalone": "What?"}
    values |= {"kind": "fact", "answerable": bool(groups)} | fields
    return DocumentQuestion(id, facts=facts, **values)


def write_folder(folder: Path, questions: list[DocumentQuestion], files: dict[str, str]) -> Path:
    """A folder of the questions and of files by their path below `corpora/`."""
    lines = []
    for each in questions:
        facts = [[expression.pattern for expression in group] for group in each.facts]
        lines.append(json.dumps({**asdict(each, dict_factory=_without_facts), "facts": facts, "where": None}))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / QUESTIONS).write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    for name, text in files.items():
        path = folder / CORPORA / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _without_facts(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value for name, value in fields if name != "facts"}
