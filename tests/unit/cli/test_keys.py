"""`parley key new`: a key for its caller, a hash for the gateway."""

from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import command_line
from gateway.identity.api_keys import ApiKeys, KeyEntry, read_keys


def new(*arguments: str) -> Result:
    return CliRunner().invoke(command_line(), ["key", "new", *arguments])


def test_a_key_and_its_line_are_printed() -> None:
    result = new("--principal", "alice", "--principal", "staff", "--expires", "2099-12-31")
    key, line = result.stdout.splitlines()
    entry = KeyEntry.model_validate_json(line)
    assert key.startswith(f"parley-{entry.id}-")
    assert entry.principals == ("alice", "staff")
    assert entry.expires == date(2099, 12, 31)


def test_with_a_file_its_hash_is_added_and_the_key_alone_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    keys = [new("--principal", name, "--file", str(file)).stdout.strip() for name in ("alice", "bob")]
    assert [ApiKeys(file).principals(key) for key in keys] == [("alice",), ("bob",)]
    assert not any(key in file.read_text() for key in keys)
    assert file.stat().st_mode & 0o077 == 0


def test_a_file_without_a_last_line_break_stays_whole(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    new("--principal", "alice", "--file", str(file))
    file.write_text(file.read_text().rstrip("\n"))
    new("--principal", "bob", "--file", str(file))
    assert len(read_keys(file)) == 2


@pytest.mark.parametrize(
    ("content", "arguments", "why"),
    [
        ("not a key\n", ["--principal", "a"], "line 1"),
        ("", ["--principal", " "], "principal is empty"),
        (None, ["--principal", "a"], "cannot be used: No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path: Path, content: str | None, arguments: list[str], why: str) -> None:
    file = tmp_path / "keys" if content is not None else tmp_path / "missing" / "keys"
    if content is not None:
        file.write_text(content)
    result = new(*arguments, "--file", str(file))
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stdout == ""
    assert content is None or file.read_text() == content
