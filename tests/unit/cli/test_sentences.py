"""What a command complains of reads as a sentence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cli
import evaluation
from cli.view.output import sentence

COMMANDS = {"ask": Path(cli.__file__).parent / "ask", "evaluation": Path(evaluation.__file__).parent}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the question is empty", "The question is empty."),
        ("There is none.", "There is none."),
        ("notes/a.txt: is empty", "notes/a.txt: is empty."),
        ("--vectors needs a file", "--vectors needs a file."),
        ("two\nlines", "Two lines."),
        ("问题是空的。", "问题是空的。"),
    ],
)
def test_a_sentence_has_a_capital_and_a_stop_and_names_stay_as_they_are(text: str, expected: str) -> None:
    assert sentence(text) == expected


def refusals(path: Path) -> Iterator[str]:
    """The texts of a module's CommandErrors; what is filled in later is "X"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "CommandError":
            (text,) = node.args
            if isinstance(text, ast.Constant):
                yield str(text.value)
            elif isinstance(text, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in text.values)


@pytest.mark.parametrize("area", COMMANDS)
def test_every_refusal_of_a_command_is_written_as_a_sentence(area: str) -> None:
    texts = [text for path in COMMANDS[area].rglob("*.py") for text in refusals(path)]
    assert texts
    assert [text for text in texts if not (text[0].isupper() and text.endswith("."))] == []
