from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, SecretStr

from libs.llm.settings import LlmSettings
from libs.runtime.settings import AreaSettings, ServerSettings, SettingsError
from services.retrieve.settings import RetrieveSettings
from services.retrieve.sources.web_search import WebSettings


class Limits(BaseModel):
    documents: int = 10


class TrialSettings(AreaSettings, area="trial"):
    """An area of the test's own."""

    chunk_size: int = Field(default=350, ge=1)
    """Characters in a chunk."""
    key: SecretStr | None = None
    """A secret."""
    tags: tuple[str, ...] = ()
    """A list."""
    limits: Limits = Limits()
    """A table."""


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working directory without a TOML file of ours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PARLEY_CONFIG", raising=False)
    return tmp_path


def test_a_field_has_its_default_and_its_docstring() -> None:
    assert TrialSettings.load().chunk_size == 350
    assert TrialSettings.model_fields["chunk_size"].description == "Characters in a chunk."


def test_code_wins_over_environment_over_file_over_default(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    (elsewhere / "parley.toml").write_text("[trial]\nchunk_size = 2\n[other]\nanything = 1\n")
    assert TrialSettings.load().chunk_size == 2
    monkeypatch.setenv("PARLEY_TRIAL_CHUNK_SIZE", "3")
    assert TrialSettings.load().chunk_size == 3
    assert TrialSettings.load(chunk_size=4).chunk_size == 4


def test_the_file_may_be_named(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    (elsewhere / "own.toml").write_text('[trial]\ntags = ["a"]\n[trial.limits]\ndocuments = 5\n')
    monkeypatch.setenv("PARLEY_CONFIG", "own.toml")
    settings = TrialSettings.load()
    assert (settings.tags, settings.limits.documents) == (("a",), 5)


def test_lists_and_tables_come_by_environment_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_TRIAL_TAGS", '["a", "b"]')
    monkeypatch.setenv("PARLEY_TRIAL_LIMITS__DOCUMENTS", "7")
    settings = TrialSettings.load()
    assert (settings.tags, settings.limits.documents) == (("a", "b"), 7)


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_TRIAL_CHUNK_SIZE", "")
    assert TrialSettings.load().chunk_size == 350


@pytest.mark.parametrize(
    ("variables", "file", "arguments", "message"),
    [
        (
            {"PARLEY_TRIAL_CHUNK_SIZE": "0"},
            "",
            {},
            "PARLEY_TRIAL_CHUNK_SIZE: must be greater than or equal to 1 (from the environment)",
        ),
        (
            {},
            "chunk_size = 'many'",
            {},
            "PARLEY_TRIAL_CHUNK_SIZE: must be a valid integer, unable to parse string as an integer"
            " (from parley.toml, table [trial])",
        ),
        ({}, "chunk_sise = 4", {}, "PARLEY_TRIAL_CHUNK_SISE: no such setting (from parley.toml, table [trial])"),
        (
            {},
            "",
            {"chunk_size": -1},
            "PARLEY_TRIAL_CHUNK_SIZE: must be greater than or equal to 1 (given by the program or its arguments)",
        ),
        (
            {"PARLEY_TRIAL_TAGS": "a,b"},
            "",
            {},
            'PARLEY_TRIAL_TAGS: must be JSON, such as ["a", "b"] (from the environment)',
        ),
        (
            {"PARLEY_TRIAL_LIMITS__DOCUMENTS": "x"},
            "",
            {},
            "PARLEY_TRIAL_LIMITS__DOCUMENTS: must be a valid integer, unable to parse string as an integer"
            " (from the environment)",
        ),
    ],
)
def test_an_error_names_the_variable_what_it_must_be_and_where_it_came_from(
    variables: dict[str, str],
    file: str,
    arguments: dict[str, Any],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    elsewhere: Path,
) -> None:
    (elsewhere / "parley.toml").write_text(f"[trial]\n{file}\n")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        TrialSettings.load(**arguments)
    assert str(error.value) == message


def test_all_errors_are_told_at_once(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    (elsewhere / "parley.toml").write_text("[trial]\nnonsense = 4\n")
    monkeypatch.setenv("PARLEY_TRIAL_CHUNK_SIZE", "0")
    with pytest.raises(SettingsError) as error:
        TrialSettings.load()
    assert len(str(error.value).splitlines()) == 2


def test_a_secret_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_TRIAL_KEY", "hunter2")
    assert "hunter2" not in repr(TrialSettings.load())
    with pytest.raises(SettingsError) as error:
        TrialSettings.load(key=["hunter2"])
    assert "hunter2" not in str(error.value)
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("content", "message"),
    [("[trial", "can't be read as TOML"), ("trial = 3", "must be a table")],
)
def test_a_broken_file_is_told(content: str, message: str, elsewhere: Path) -> None:
    (elsewhere / "parley.toml").write_text(content)
    with pytest.raises(SettingsError, match=message):
        TrialSettings.load()


def test_a_named_file_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_CONFIG", "nowhere.toml")
    with pytest.raises(SettingsError, match=r"PARLEY_CONFIG.*nowhere\.toml"):
        TrialSettings.load()


def test_arguments_win_over_the_environment_and_each_process_has_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ServerSettings.from_args([], port=50052).port == 50052
    monkeypatch.setenv("PARLEY_SERVER_PORT", "6000")
    assert ServerSettings.from_args([], port=50052).port == 6000
    settings = ServerSettings.from_args(["--port", "7000", "--host", "::1", "--insecure"], port=50052)
    assert (settings.port, settings.host, settings.insecure) == (7000, "::1", True)


@pytest.mark.parametrize("area", [RetrieveSettings, WebSettings, LlmSettings])
def test_a_key_that_cannot_be_sent_in_a_header_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch, elsewhere: Path, area: type[AreaSettings]
) -> None:
    name = next(area.variable(field) for field in area.model_fields if field.endswith("_key"))
    monkeypatch.setenv(name, "…")
    with pytest.raises(SettingsError, match=f"{name}.*printable ASCII") as refusal:
        area.load()
    assert "…" not in str(refusal.value)
