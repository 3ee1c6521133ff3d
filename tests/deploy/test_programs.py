"""Tests whose program is missing skip, unless it is required."""

import pytest

from tests.deploy.tools import REQUIRED, path_of


def test_a_missing_program_skips_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no-such-program is not installed"):
        path_of("no-such-program")


def test_a_missing_program_that_is_required_fails_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is not installed"):
        path_of("no-such-program")
