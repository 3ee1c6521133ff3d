"""Grants are read from a file, the highest role counts, and a changed file counts from then on."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway.access.guard import AccessGuard, AccessSettings, Role, open_guard, read_grants
from libs.runtime.security import watched_files
from libs.runtime.settings import SettingsError

GRANTS = """
[[grant]]
principal = "team:ops"
collection = "report*"
role = "write"

[[grant]]
principal = "*"
collection = "reports"
role = "read"

[[grant]]
principal = "root"
collection = "*"
role = "admin"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "grants.toml"
    path.write_text(GRANTS)
    return path


@pytest.fixture
def guard(file: Path) -> AccessGuard:
    return open_guard(AccessSettings(grants=file))


@pytest.mark.parametrize(
    ("principals", "collection", "role"),
    [
        ((), "reports", Role.READ),
        (("bob",), "reports", Role.READ),
        (("bob", "team:ops"), "reports", Role.WRITE),
        (("team:ops",), "report-2024", Role.WRITE),
        (("bob",), "report-2024", Role.NONE),
        (("team:ops",), "Reports", Role.NONE),
        (("team:ops",), "default", Role.NONE),
        (("root",), "anything", Role.ADMIN),
        (("*",), "anything", Role.NONE),
    ],
)
def test_the_highest_role_of_a_callers_principals_counts(
    guard: AccessGuard, principals: tuple[str, ...], collection: str, role: Role
) -> None:
    assert guard.role(principals, collection) is role


def test_without_grants_everybody_writes_everywhere() -> None:
    assert open_guard(AccessSettings()).role((), "any") is Role.WRITE


def test_a_changed_file_counts_unless_broken(file: Path, guard: AccessGuard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched_files, "CHECK_SECONDS", 0.0)
    file.write_text(GRANTS.replace('"read"', '"all"'))
    assert guard.role((), "reports") is Role.READ
    file.write_text(GRANTS.replace('"*"\ncollection = "reports"', '"ann"\ncollection = "reports"'))
    os.utime(file, ns=(1, 1))
    assert guard.role((), "reports") is Role.NONE
    assert guard.role(("ann",), "reports") is Role.READ


@pytest.mark.timeout(10)
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_is_no_regular_file_is_not_read(
    file: Path, guard: AccessGuard, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    monkeypatch.setattr(watched_files, "CHECK_SECONDS", 0.0)
    file.unlink()
    make(file)
    assert guard.role((), "reports") is Role.READ
    with pytest.raises(SettingsError, match="no regular file"):
        open_guard(AccessSettings(grants=file))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("grant = 1", "grant: must be a valid tuple"),
        ("[[grants]]", "grants: Extra inputs are not permitted"),
        ("[[grant]]\nprincipal = 'a'\ncollection = 'b'", "grant.0.role: Field required"),
        ("[[grant]]\nprincipal = 'a'\ncollection = 'b'\nrole = 'none'", "role: must be 'read', 'write' or 'admin'"),
        ("[[grant]]\nprincipal = ''\ncollection = 'b'\nrole = 'read'", "principal: String should have at least 1 char"),
        ("[[grant]]\nprincipal = 'a'\ncollection = 1\nrole = 'read'", "collection: must be a valid string"),
        (
            "[[grant]]\nprincipal = 'a'\ncollection = 'b'\nrole = 'read'\nuntil = 1",
            "until: Extra inputs",
        ),
        ("[[grant", "not TOML"),
        (f"a = {'[' * 10_000}", "not TOML"),
    ],
)
@pytest.mark.usefixtures("settled_files")
def test_a_wrong_file_is_refused_with_the_place(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "grants.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=what):
        read_grants(path)
    with pytest.raises(SettingsError, match="PARLEY_ACCESS_GRANTS"):
        open_guard(AccessSettings(grants=path))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="PARLEY_ACCESS_GRANTS"):
        open_guard(AccessSettings(grants=tmp_path / "none.toml"))
