"""API keys: long-lived credentials of programs, known to the suite by their hashes.

A key is 256 random bits, so a plain SHA-256 of it cannot be searched; the slow hashes that passwords need would add
nothing but work for every call.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from gateway.identity.caller import BadCredentials, Principals, usable_principals
from libs.runtime.security.watched_files import WatchedFiles

KEY_PREFIX: Final = "parley-"
"""Begins each API key, so that people and scanners for secrets know it; no token begins with it."""
RANDOM_BYTES: Final = 32  # of the secret part, 256 bits: as many as its digest has
ID_BYTES: Final = 4  # of the public part; a file has few keys (taste)
NO_KEY: Final = "0" * 64  # the digits of a SHA-256


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One line of the file."""

    key_id: str
    sha256: str
    """Of the whole key, in hexadecimal digits."""
    principals: Principals
    expires: date | None = None
    """The first day, in UTC, on which it is not valid any more."""

    def line(self) -> str:
        """The line, as JSON."""
        values: dict[str, Any] = {"id": self.key_id, "sha256": self.sha256, "principals": self.principals}
        return json.dumps(values | ({"expires": self.expires.isoformat()} if self.expires else {}), ensure_ascii=False)

    @classmethod
    def parse(cls, line: str) -> "KeyEntry":
        """Read a line.

        Raises:
            ValueError: it is not the line of a key.
        """
        match json.loads(line):
            case {"id": str(key_id), "sha256": str(digest), "principals": list(principals), **rest}:
                if unknown := rest.keys() - {"expires", "note"}:
                    raise ValueError(f"the field {min(map(str, unknown))} is unknown")
                if len(digest) != len(NO_KEY) or not all(isinstance(each, str) for each in principals):
                    raise ValueError("sha256 must have 64 digits, and principals must be texts")
                expires = date.fromisoformat(str(rest["expires"])) if rest.get("expires") else None
                return cls(key_id, digest.lower(), usable_principals(set(principals)), expires)
            case _:
                raise ValueError("a line must have the fields id, sha256 and principals")


def new_key(principals: set[str], expires: date | None = None) -> tuple[str, KeyEntry]:
    """A new key, which is not kept anywhere, and its line for the file.

    Raises:
        ValueError: the principals cannot be used.
    """
    key_id = secrets.token_hex(ID_BYTES)
    key = f"{KEY_PREFIX}{key_id}-{secrets.token_urlsafe(RANDOM_BYTES)}"
    return key, KeyEntry(key_id, _digest(key), usable_principals(principals), expires)


class ApiKeys:
    """The keys of a file; those of the moment, as a changed file is read within the next call, at most once a second.

    Raises:
        OSError, ValueError: the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._files: WatchedFiles[Mapping[str, KeyEntry]] = WatchedFiles([path], lambda: read_keys(path))

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
            raise BadCredentials(f"the key {entry.key_id} has expired")
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
                entry = KeyEntry.parse(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
            if entry.key_id in entries:
                raise ValueError(f"{path}, line {number}: the id {entry.key_id} is used twice")
            entries[entry.key_id] = entry
    return entries


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()
