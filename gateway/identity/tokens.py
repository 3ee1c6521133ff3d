"""Tokens (JWT, RFC 7519): signature, issuer, audience and times are checked, claims become principals."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import jwt
from jwt.utils import base64url_decode

from gateway.identity.caller import BadCredentials, Principals, usable_principals
from gateway.identity.issuer_keys import FindKey
from gateway.identity.settings import AuthSettings

MAX_CHARACTERS: Final = 16 * 1024
"""Longest token; gRPC itself refuses metadata of more than 16 KB, and some of more than 8 KB."""
TIMES: Final = ("exp", "nbf", "iat")
LAST_SECOND: Final = 253_402_300_799
"""Of the year 9999, beyond which no calendar tells when a token ends."""
_COMPACT: Final = re.compile(r"[\w-]+\.[\w-]+\.[\w-]*", re.ASCII)
LEEWAY_SECONDS: Final = 30.0
"""How far the issuer's clock may be from this machine's; RFC 7519 allows "usually no more than a few minutes"."""
REASONS: Final[Mapping[type[jwt.PyJWTError], str]] = {
    jwt.ExpiredSignatureError: "the token has expired",
    jwt.ImmatureSignatureError: "the token is not valid yet",
    jwt.InvalidAudienceError: "the token is for another audience",
    jwt.InvalidIssuerError: "the token is of another issuer",
    jwt.InvalidSignatureError: "the token's signature is wrong",
    jwt.InvalidKeyError: "the issuer's key is too short",
    jwt.MissingRequiredClaimError: "the token lacks exp, iss or aud",
}
"""For the log."""


class TokenVerifier:
    """Checks tokens of one issuer."""

    def __init__(self, settings: AuthSettings, find_key: FindKey) -> None:
        self._settings = settings
        self._find_key = find_key

    async def principals(self, token: str) -> Principals:
        """The principals of the caller whom the issuer gave this token.

        Raises:
            BadCredentials: the token is not accepted.
            Unavailable: the keys of the issuer are not known yet and cannot be fetched.
        """
        key_id, algorithm = self._header(token)
        key = await self._find_key(key_id, algorithm)
        if key is None:
            raise BadCredentials("the issuer has no such key")
        try:
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[algorithm],  # one that the settings allow and that is this key's
                audience=self._settings.audience,
                issuer=self._settings.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud"], "enforce_minimum_key_length": True},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise BadCredentials(_reason(error)) from None
        if not all(type(claims.get(name, 0)) in (int, float) and claims.get(name, 0) <= LAST_SECOND for name in TIMES):
            raise BadCredentials("a time of the token is no number of seconds")
        return self._principals(claims)

    def _header(self, token: str) -> tuple[str | None, str]:
        """Id of the key, if there is one, and algorithm of the signature, both not checked yet."""
        try:
            is_token = len(token) <= MAX_CHARACTERS and _COMPACT.fullmatch(token)
            header = jwt.get_unverified_header(token) if is_token and _is_json(token) else {}
        except (jwt.PyJWTError, ValueError, RecursionError):
            header = {}
        key_id, algorithm = header.get("kid"), header.get("alg")
        if not isinstance(algorithm, str) or not isinstance(key_id, str | None):
            raise BadCredentials("the token is damaged")
        if algorithm not in self._settings.algorithms:
            raise BadCredentials("the token's algorithm is not accepted")
        return key_id, algorithm

    def _principals(self, claims: Mapping[str, Any]) -> Principals:
        settings = self._settings
        subject = _claim(claims, settings.subject_claim)
        if not isinstance(subject, str):
            raise BadCredentials(f"the token lacks the claim {settings.subject_claim}")
        if settings.group_prefix and subject.startswith(settings.group_prefix):
            raise BadCredentials("the subject begins as the groups do")
        groups = {settings.group_prefix + text for claim in settings.group_claims for text in _texts(claims, claim)}
        try:
            return usable_principals({subject, *groups})
        except ValueError as error:
            raise BadCredentials(f"the token cannot be used: {error}") from None


def _is_json(token: str) -> bool:
    """Whether header and claims are JSON objects in UTF-8 (RFC 7519, 7.2); the library also takes UTF-16 and NaN.

    Raises:
        ValueError: they are no JSON, or in another encoding.
    """
    texts = (base64url_decode(part).decode() for part in token.split(".")[:2])
    return all(isinstance(json.loads(text, parse_constant=int), dict) for text in texts)  # int refuses "NaN"


def _claim(claims: Mapping[str, Any], name: str) -> Any:
    """A claim by its name, or by its path through others; None if there is none."""
    if name in claims:
        return claims[name]
    value: Any = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _texts(claims: Mapping[str, Any], name: str) -> Iterator[str]:
    """The values of a claim, which is a text or a list of texts.

    Raises:
        BadCredentials: it is something else.
    """
    value = _claim(claims, name)
    values = [] if value is None else value if isinstance(value, list) else [value]
    for text in values:
        if not isinstance(text, str):
            raise BadCredentials(f"the claim {name} is neither a text nor a list of texts")
        yield text


def _reason(error: Exception) -> str:
    return next((text for kind, text in REASONS.items() if isinstance(error, kind)), "the token is damaged")
