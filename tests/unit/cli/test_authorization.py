"""The credentials of the command line: from the environment, in each call, to other machines over TLS alone."""

from pathlib import Path

import pytest

from cli.connection.channels import token_reader
from libs.runtime.errors import Unauthenticated
from libs.runtime.settings import SettingsError
from tests.unit.cli.conftest import Run, ScriptedGateway
from tests.unit.cli.turn_events import turn


def test_every_type_of_call_carries_the_token(
    parley: Run, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PARLEY_CLIENT_TOKEN", "secret-token")
    (tmp_path / "note.md").write_text("Water ice.")
    gateway.turns = [turn({"text_end": {"text": "In 2008."}})]
    for command in (("search", "water"), ("ask", "When?"), ("ingest", str(tmp_path / "note.md"))):
        result = parley(*command)
        assert result.exit_code == 0, result.output
        assert "secret-token" not in result.output
    assert set(gateway.credentials) == {"Bearer secret-token"}
    assert len(gateway.ingested) == len(gateway.asked) == 1


def test_a_file_is_read_for_each_call(
    parley: Run, gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "token"
    monkeypatch.setenv("PARLEY_CLIENT_TOKEN_FILE", str(file))
    for token in ("one", "two"):
        file.write_text(f"{token}\n")
        assert parley("search", "water").exit_code == 0
    assert gateway.credentials == ["Bearer one", "Bearer two"]


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({"PARLEY_CLIENT_TOKEN": "two\nlines"}, "PARLEY_CLIENT_TOKEN: a token or key is printable ASCII"),
        (
            {"PARLEY_CLIENT_TOKEN": "a", "PARLEY_CLIENT_TOKEN_FILE": "b"},
            "are both set: unset one of them",
        ),
        ({"PARLEY_CLIENT_TOKEN_FILE": "missing"}, "The file missing cannot be used: No such file or directory"),
        ({"PARLEY_CLIENT_TOKEN": "a", "PARLEY_CLIENT_INSECURE": "perhaps"}, "PARLEY_CLIENT_INSECURE: must be a valid"),
    ],
)
def test_unusable_credentials_are_one_line(
    parley: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], why: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    result = parley("search", "water")
    assert result.exit_code == 1
    assert why in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_refusal_says_what_to_set(parley: Run, gateway: ScriptedGateway) -> None:
    gateway.turns = [[Unauthenticated("CREDENTIALS_MISSING", "Credentials are needed: a token or an API key.")]]
    result = parley("ask", "When?")
    assert result.exit_code == 1
    assert "(CREDENTIALS_MISSING). Set PARLEY_CLIENT_TOKEN or PARLEY_CLIENT_TOKEN_FILE" in result.stderr


@pytest.mark.parametrize(
    ("addresses", "is_encrypted", "is_sent"),
    [
        ("127.0.0.1:1", False, True),
        ("localhost:1,[::1]:2", False, True),
        ("192.0.2.7:1", False, False),
        ("localhost:1,gateway.example:2", False, False),
        ("gateway.example:2", True, True),
    ],
)
def test_credentials_go_to_other_machines_over_tls_alone(
    monkeypatch: pytest.MonkeyPatch, addresses: str, is_encrypted: bool, is_sent: bool
) -> None:
    monkeypatch.setenv("PARLEY_CLIENT_TOKEN", "secret-token")
    if not is_sent:
        with pytest.raises(SettingsError, match="not sent in plain text") as error:
            token_reader(addresses, is_encrypted)
        assert "secret-token" not in str(error.value)
        monkeypatch.setenv("PARLEY_CLIENT_INSECURE", "true")
    assert (read := token_reader(addresses, is_encrypted)) is not None
    assert read() == "secret-token"
