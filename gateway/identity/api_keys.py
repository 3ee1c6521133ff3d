"""API keys: long-lived credentials of programs, known to the suite by their hashes.

A key is 256 random bits, so a plain SHA-256 of it cannot be searched; the slow hashes that passwords need would add
nothing but work for every call.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from gateway.identity.caller import BadCredentials, Principals, usable_principals
from gateway.identity.settings import AuthSettings
from libs.runtime.security.watched_files import WatchedFiles
from libs.runtime.settings import faults_in

KEY_PREFIX: Final = "parley-"
"""Begins each API key, so that people and scanners for secrets know it; no token begins with it."""
RANDOM_BYTES: Final = 32  # of the secret part, 256 bits: as many as its digest has
ID_BYTES: Final = 4  # of the public part; a file has few keys (taste)
NO_KEY: Final = "0" * 64  # the digits of a SHA-256


class KeyEntry(BaseModel):
    """One line of the file, as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    sha256: Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{64}$"), AfterValidator(str.lower)]
    """Of the whole key, in hexadecimal digits."""
    principals: Annotated[Principals, AfterValidator(lambda names: usable_principals(set(names)))]
    expires: date | None = None
    """The first day, in UTC, on which it is not valid any more."""
    note: Any = None
    """For people."""

    def line(self) -> str:
        """The line."""
        return self.model_dump_json(exclude_defaults=True)


def new_key(principals: set[str], expires: date | None = None) -> tuple[str, KeyEntry]:
    """A new key, which is not kept anywhere, and its line for the file.

    Raises:
        ValueError: the principals cannot be used.
    """
    key_id = secrets.token_hex(ID_BYTES)
    key = f"{KEY_PREFIX}{key_id}-{secrets.token_urlsafe(RANDOM_BYTES)}"
    return key, KeyEntry(id=key_id, sha256=_digest(key), principals=usable_principals(principals), expires=expires)


class ApiKeys:
    """The keys of a file; those of the moment, as a changed file is read within the next call, at most once a second.

    Raises:
        SettingsError: the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._files = WatchedFiles([path], lambda: read_keys(path), AuthSettings.variable("keys"))

    def principals(self, key: str) -> Principals:
        """The principals of the caller that has this key.

        Raises:
            BadCredentials: the key is unknown or has expired.
        """
        key_id = key.removeprefix(KEY_PREFIX).partition("-")[0]
        entry = self._files.current().get(key_id)
        # Compared in constant time, for an unknown id as well: the time tells nothing about the digest.
        is_known = hmac.compare_digest(_digest(key), entry.sha256 if entry else NO_KEY)
        if entry is None or not is_known:
            raise BadCredentials("the key is unknown")
        if entry.expires is not None and datetime.now(UTC).date() >= entry.expires:
            raise BadCredentials(f"the key {entry.id} has expired")
        return entry.principals


def read_keys(path: Path) -> Mapping[str, KeyEntry]:
    """The keys of a file by their ids; empty lines and those that begin with # are left out.

    Raises:
        OSError, ValueError: the file cannot be used.
    """
    entries: dict[str, KeyEntry] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                entry = KeyEntry.model_validate_json(line)
            except ValidationError as error:
                raise ValueError(f"{path}, line {number}: {faults_in(error, 'the line')}") from None
            if entry.id in entries:
                raise ValueError(f"{path}, line {number}: the id {entry.id} is used twice")
            entries[entry.id] = entry
    return entries


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
