"""Questions over documents: a folder with `questions.jsonl` and the files of each corpus below `corpora/`.

A line of `questions.jsonl` is {id, corpus, conversation, turn, question, standalone, kind, answerable, facts}; other
keys are ignored. `facts` is a list of groups of regular expressions: an answer is complete if at least one expression
of each group occurs in it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator

from cli.connection.gateway_connection import CommandError
from evaluation.files import read_lines, reader_of

QUESTIONS: Final = "questions.jsonl"
CORPORA: Final = "corpora"
CHIT_CHAT: Final = "chit-chat"
"""The kind of a turn that asks for nothing: a greeting, thanks."""


def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE | re.DOTALL)
    except re.error as error:
        raise ValueError(f"{text}: {error}") from None


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """One turn of a conversation, and the facts that answer it."""

    id: str
    corpus: str
    conversation: str
    turn: int
    """Counted from 1 within the conversation."""
    question: str
    """As typed; a later turn may depend on earlier ones."""
    standalone: str
    """The standalone form of the question."""
    kind: str
    answerable: bool
    facts: tuple[tuple[Annotated[re.Pattern[str], BeforeValidator(_expression)], ...], ...]
    """One group per fact; empty if the question cannot be answered."""


def read_questions(folder: Path, corpora: Collection[str] = ()) -> list[DocumentQuestion]:
    """Read the questions of a folder in the order of the file, of all corpora or those named.

    Raises:
        CommandError: the file cannot be read, a line is not a question, or a named corpus has none.
    """
    path = folder / QUESTIONS
    questions = list(read_lines(path, reader_of(DocumentQuestion), "a question"))
    corpus_names = {question.corpus for question in questions}
    if unknown := sorted(set(corpora) - corpus_names):
        raise CommandError(
            f"The file {path} has no corpus {', '.join(unknown)}; it has {', '.join(sorted(corpus_names))}."
        )
    return [question for question in questions if not corpora or question.corpus in corpora]


def conversations(questions: Sequence[DocumentQuestion]) -> list[list[DocumentQuestion]]:
    """Group the questions by conversation, each in the order of its turns."""
    turns_by_conversation: dict[tuple[str, str], list[DocumentQuestion]] = {}
    for question in questions:
        turns_by_conversation.setdefault((question.corpus, question.conversation), []).append(question)
    return [sorted(turns, key=lambda question: question.turn) for turns in turns_by_conversation.values()]
