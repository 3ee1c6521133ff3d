"""The public keys of an issuer of tokens, from a JWK Set (RFC 7517)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jwt

ALGORITHMS: Final[Mapping[tuple[str, str], frozenset[str]]] = {
    ("RSA", ""): frozenset({"RS256", "PS256"}),
    ("EC", "P-256"): frozenset({"ES256"}),
    ("OKP", "Ed25519"): frozenset({"EdDSA"}),
}
"""The signatures of each type of key (kty, crv). Shared secrets (`oct`) are in none of them."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures."""

    key_id: str
    algorithms: frozenset[str]
    key: Any
    """As the library of tokens takes it."""


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys of an issuer."""

    keys: Sequence[PublicKey]

    def key(self, key_id: str | None, algorithm: str) -> PublicKey | None:
        """The key of this id, or the only one for the algorithm if a token names none; None if there is none."""
        fitting = [key for key in self.keys if algorithm in key.algorithms and key_id in (key.key_id, None)]
        return fitting[0] if len(fitting) == 1 else None


def read_key_set(content: bytes) -> KeySet:
    """The usable keys of a JWK Set; keys of other types, private ones and those for encryption are left out.

    Raises:
        ValueError: it is no JWK Set, or has no usable key.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("the JWK Set is not JSON") from None
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("the JWK Set has no list of keys")
    keys = [key for entry in entries if isinstance(entry, dict) and (key := _public_key(entry)) is not None]
    if not keys:
        raise ValueError("the JWK Set has no public key of a supported type: RSA, EC P-256, Ed25519")
    return KeySet(keys)


def _public_key(entry: dict[str, Any]) -> PublicKey | None:
    kind = str(entry.get("kty")), str(entry.get("crv", ""))
    algorithms = ALGORITHMS.get(kind, frozenset())
    if entry.get("alg") is not None:
        algorithms &= {str(entry["alg"])}
    if not algorithms or "d" in entry or entry.get("use", "sig") != "sig" or not _verifies(entry.get("key_ops")):
        return None
    try:
        return PublicKey(str(entry.get("kid", "")), algorithms, jwt.PyJWK(entry, min(algorithms)).key)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _verifies(operations: Any) -> bool:
    return operations is None or (isinstance(operations, list) and "verify" in operations)
