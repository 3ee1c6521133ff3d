"""API keys: accepted by their hashes, from a file that changes without a restart."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from gateway.identity.api_keys import new_key, read_keys
from gateway.identity.settings import AuthSettings
from libs.runtime.settings import SettingsError
from tests.service.gateway.conftest import OpenDoor, bearer, write

pytestmark = pytest.mark.usefixtures("closely_watched_files")
TODAY = datetime.now(UTC).date()
DAY = timedelta(days=1)


async def test_a_key_names_its_caller_by_either_header(open_door: OpenDoor, tmp_path: Path) -> None:
    key, entry = new_key({"staff", "alice"})
    async with open_door(AuthSettings(keys=write(tmp_path / "keys", "# of programs", "", entry.line()))) as door:
        assert await door.principals(("x-api-key", key)) == ["alice", "staff"]
        assert await door.principals(bearer(key), ("x-parley-principal", "root")) == ["alice", "staff"]
        assert (
            await door.refusal(bearer("e30.e30.e30"))
        ).reason == "CREDENTIALS_INVALID"  # no tokens without an issuer


async def test_keys_are_added_replaced_and_removed_while_it_serves(open_door: OpenDoor, tmp_path: Path) -> None:
    (old_key, old), (new, entry) = new_key({"alice"}), new_key({"alice"})
    path = write(tmp_path / "keys", old.line())
    async with open_door(AuthSettings(keys=path)) as door:
        assert await door.principals(bearer(old_key)) == ["alice"]
        write(path, old.line(), entry.line())
        assert await door.principals(bearer(old_key)) == await door.principals(bearer(new)) == ["alice"]
        write(path, entry.line())
        assert (await door.refusal(bearer(old_key))).reason == "CREDENTIALS_INVALID"
        assert await door.principals(bearer(new)) == ["alice"]
        write(path, "half a li")
        assert await door.principals(bearer(new)) == ["alice"]  # what was valid before holds


async def test_unknown_and_expired_keys_get_one_answer_and_two_log_lines(open_door: OpenDoor, tmp_path: Path) -> None:
    key, entry = new_key({"alice"})
    late, expired = new_key({"alice"}, expires=TODAY)
    lasting, valid = new_key({"alice"}, expires=TODAY + DAY)
    stranger, _ = new_key({"alice"})
    secret = key.removeprefix(f"parley-{entry.id}-")
    unknown = [stranger, f"parley-{entry.id}-{secret[:-1]}", f"parley-{valid.id}-{secret}", "parley-"]
    async with open_door(AuthSettings(keys=write(tmp_path / "k", entry.line(), expired.line(), valid.line()))) as door:
        assert await door.principals(bearer(lasting)) == ["alice"]
        for credential, why in (*((each, "the key is unknown") for each in unknown), (late, "has expired")):
            with capture_logs() as logs:
                refusal = await door.refusal(bearer(credential))
            assert (refusal.reason, refusal.message) == (
                "CREDENTIALS_INVALID",
                "The credentials are not accepted: see the gateway's log.",
            )
            (line,) = [line for line in logs if line["event"] == "credentials refused"]
            assert why in line["why"]
            assert secret not in str(logs)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("alice", "Invalid JSON"),
        ('{"id": "a"}', "sha256: Field required; principals: Field required"),
        ('{"id": "a", "sha256": "12", "principals": ["alice"]}', "sha256: String should match"),
        ('{"id": "a", "sha256": "%s", "principals": []}' % ("0" * 64), "no principal"),
        ('{"id": "a", "sha256": "%s", "principals": [1]}' % ("0" * 64), "principals.0: must be a valid string"),
        (
            '{"id": "a", "sha256": "%s", "principals": ["a"], "expires": "soon"}' % ("0" * 64),
            "expires: must be a valid",
        ),
        (
            '{"id": "a", "sha256": "%s", "principals": ["a"], "expire": "2027-01-01"}' % ("0" * 64),
            "expire: Extra inputs are not permitted",
        ),
    ],
)
@pytest.mark.usefixtures("settled_files")
async def test_a_file_with_a_bad_line_is_refused(open_door: OpenDoor, tmp_path: Path, line: str, why: str) -> None:
    path = write(tmp_path / "keys", "# comment", line)
    with pytest.raises(SettingsError, match=f"PARLEY_AUTH_KEYS: .*line 2.*{why}"):
        async with open_door(AuthSettings(keys=path)):
            pass


def test_two_lines_of_one_id_are_refused(tmp_path: Path) -> None:
    _, entry = new_key({"alice"})
    with pytest.raises(ValueError, match="is used twice"):
        read_keys(write(tmp_path / "keys", entry.line(), entry.line()))
