"""Two processes that are configured alike have the same digest of their settings; secrets have no part in it."""

from pathlib import Path

import pytest

from libs.runtime.serving.server_info import settings_digest

Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def folder(monkeypatch: Patch, tmp_path: Path) -> Path:
    """A working directory without settings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PARLEY_CONFIG", raising=False)
    return tmp_path


def changes(monkeypatch: Patch, variable: str, value: str) -> bool:
    before = settings_digest()
    monkeypatch.setenv(variable, value)
    return settings_digest() != before


@pytest.mark.parametrize("variable", ["PARLEY_LLM_MODEL", "PARLEY_ANSWER_ENGINE", "PARLEY_RETRIEVE_TOPK__VECTOR"])
def test_a_setting_counts(monkeypatch: Patch, variable: str) -> None:
    assert changes(monkeypatch, variable, "one")
    assert changes(monkeypatch, variable, "two")


@pytest.mark.parametrize(
    "variable",
    ["PARLEY_LLM_API_KEY", "PARLEY_ELASTICSEARCH_PASSWORD", "PARLEY_SERVER_PORT", "PARLEY_PORT", "OTHER_MODEL"],
)
def test_secrets_addresses_and_other_programs_settings_do_not(monkeypatch: Patch, variable: str) -> None:
    assert not changes(monkeypatch, variable, "one")


def test_the_file_counts_like_the_environment(monkeypatch: Patch, folder: Path) -> None:
    (folder / "parley.toml").write_text('[llm]\nmodel = "one"\napi_key = "secret"\n', encoding="utf-8")
    in_file = settings_digest()
    (folder / "parley.toml").write_text('[llm]\nmodel = "one"\napi_key = "another"\n', encoding="utf-8")
    assert settings_digest() == in_file
    (folder / "parley.toml").unlink()
    assert settings_digest() != in_file
    monkeypatch.setenv("PARLEY_LLM_MODEL", "one")
    assert settings_digest() == in_file


def test_prompts_count_with_their_content(monkeypatch: Patch, folder: Path) -> None:
    prompts = folder / "prompts"
    prompts.mkdir()
    monkeypatch.setenv("PARLEY_LLM_PROMPTS_FOLDER", str(prompts))
    empty = settings_digest()
    (prompts / "write.txt").write_text("[user]\nWrite.\n", encoding="utf-8")
    one = settings_digest()
    (prompts / "write.txt").write_text("[user]\nWrite well.\n", encoding="utf-8")
    assert len({empty, one, settings_digest()}) == 3
