"""Asks each call of the gateway for credentials, and holds whose call it is."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from gateway.identity.api_keys import ApiKeys
from gateway.identity.caller import ANONYMOUS, Caller, hold
from gateway.identity.credentials import BadCredentials, Credential, credential_of
from gateway.identity.settings import AuthSettings
from libs.runtime.errors import Unauthenticated
from libs.runtime.security.watched_files import reason_of
from libs.runtime.serving.gate import Gate, OpenGate
from libs.runtime.settings import SettingsError

URLS: Final = ("https://", "http://")
if TYPE_CHECKING:  # they import cryptography: 10 MB that only tokens need
    from gateway.identity.key_sources import KeySource
    from gateway.identity.tokens import TokenVerifier

_log = structlog.get_logger("parley.identity")


class IdentityGate(OpenGate):
    """Admits callers whose credentials are accepted, and holds each as the caller of its call.

    Args:
        keys: the API keys; None: none are accepted.
        tokens: checks tokens; None: none are accepted.
        anonymous: whether calls without credentials are admitted.
    """

    def __init__(self, keys: ApiKeys | None, tokens: "TokenVerifier | None", anonymous: bool) -> None:
        self._keys = keys
        self._tokens = tokens
        self._anonymous = anonymous

    async def admit(self, method: str, context: Any) -> None:
        """See Gate.

        Raises:
            Unauthenticated: there are no credentials, or they are not accepted.
            Unavailable: the keys of the issuer are not known yet and cannot be fetched.
        """
        try:
            credential = credential_of(context.invocation_metadata() or ())
            caller = await self._caller(credential) if credential else None
        except BadCredentials as error:
            _log.info("credentials refused", why=str(error), peer=context.peer())
            raise Unauthenticated(
                "CREDENTIALS_INVALID", "The credentials are not accepted; the gateway's log says why."
            ) from None
        if caller is None and not self._anonymous:
            message = "The call has no credentials: send a token (authorization: Bearer ...) or an API key (x-api-key)."
            raise Unauthenticated("CREDENTIALS_MISSING", message)
        hold(caller or ANONYMOUS)

    async def _caller(self, credential: Credential) -> Caller:
        if credential.is_key:
            if self._keys is None:
                raise BadCredentials("API keys are not accepted here")
            return self._keys.caller(credential.value)
        if self._tokens is None:
            raise BadCredentials("tokens are not accepted here")
        return await self._tokens.caller(credential.value)


class AnonymousGate(OpenGate):
    """Admits everybody, and holds each as a caller of whom nothing is known, whatever it says of itself."""

    async def admit(self, method: str, context: Any) -> None:
        """See Gate."""
        hold(ANONYMOUS)


@asynccontextmanager
async def open_gate(settings: AuthSettings) -> AsyncIterator[Gate]:
    """The gate of the gateway; it admits everybody if callers are not asked for credentials.

    Raises:
        SettingsError: the settings do not fit each other, or a file cannot be used.
    """
    settings.check()
    if not settings.is_set:
        yield OpenGate() if settings.local_principals else AnonymousGate()
        return
    async with AsyncExitStack() as stack:
        try:
            field = "keys"
            keys = ApiKeys(settings.keys) if settings.keys else None
            field = "jwks"
            tokens = await _open_tokens(settings, stack) if settings.jwks else None
        except (OSError, ValueError) as error:
            raise SettingsError(f"{settings.variable(field)}: {reason_of(error)}") from None
        yield IdentityGate(keys, tokens, settings.anonymous)


async def _open_tokens(settings: AuthSettings, stack: AsyncExitStack) -> "TokenVerifier":
    from gateway.identity.tokens import TokenVerifier

    return TokenVerifier(settings, await _key_source(settings, stack))


async def _key_source(settings: AuthSettings, stack: AsyncExitStack) -> "KeySource":
    import httpx2

    from gateway.identity.key_sources import FETCH_SECONDS, KeyFile, KeyUrl

    if not settings.jwks.startswith(URLS):
        return KeyFile(Path(settings.jwks))
    if not httpx2.URL(settings.jwks).host:
        raise ValueError("the URL names no host")
    if not settings.jwks.startswith(URLS[0]):
        _log.warning("keys of the issuer come in plain text: whoever changes them on the way can make tokens")
    client = await stack.enter_async_context(httpx2.AsyncClient(timeout=FETCH_SECONDS))
    keys = KeyUrl(settings.jwks, client, settings.max_age_seconds)
    stack.push_async_callback(keys.close)
    return keys
