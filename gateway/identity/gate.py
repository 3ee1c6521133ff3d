"""Asks each call of the gateway for credentials, and holds whose call it is and where it comes from."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import structlog

from gateway.access.principals import caller_of
from gateway.identity.api_keys import KEY_PREFIX, ApiKeys
from gateway.identity.caller import (
    API_KEY,
    AUTHENTICATED,
    AUTHORIZATION,
    PROVEN_ORIGIN,
    BadCredentials,
    Principals,
    usable_principals,
)
from gateway.identity.settings import AuthSettings
from libs.runtime.errors import InvalidInput, Unauthenticated
from libs.runtime.security.trust import Secrets, TrustSettings, open_origin_secrets, proven_origin
from libs.runtime.serving.service import Gate

if TYPE_CHECKING:  # it imports cryptography: 10 MB that only tokens need
    from gateway.identity.tokens import TokenVerifier

Metadata = Iterable[tuple[str, str | bytes]]

_log = structlog.get_logger("parley.identity")


class CallerGate(Gate):
    """Admits callers as the settings say: everybody, or those whose credentials are accepted.

    Args:
        settings: whether callers are asked for credentials, and what holds for those who have none.
        keys: the API keys; None: none are accepted.
        tokens: checks tokens; None: none are accepted.
        origins: the secrets by which the HTTP server proves where a call comes from that it passes on. That tells
            callers without principals apart, so that each gets its own share and quota.
    """

    def __init__(
        self, settings: AuthSettings, keys: ApiKeys | None, tokens: "TokenVerifier | None", origins: Secrets | None
    ) -> None:
        self._settings = settings
        self._keys = keys
        self._tokens = tokens
        self._origins = origins

    async def admit(self, method: str, context: Any) -> None:
        """Admit a call or refuse it. The origin is held first: it is recorded of refused calls, too.

        Raises:
            Unauthenticated: there are no credentials, or they are not accepted.
            InvalidInput: the principals that the call claims are too many, or cannot be principals.
            Unavailable: the keys of the issuer are not known yet and cannot be fetched.
        """
        metadata = context.invocation_metadata() or ()
        if self._origins is not None:
            PROVEN_ORIGIN.set(proven_origin(self._origins, metadata))
        if self._settings.is_set:
            AUTHENTICATED.set(await self._principals(metadata, context.peer()))
        elif not self._settings.local_principals:
            AUTHENTICATED.set(())
        elif claimed := caller_of(context):
            try:
                usable_principals(set(claimed))
            except ValueError as error:
                raise InvalidInput("", f"The caller cannot be used: {error}.", "PRINCIPALS_INVALID") from None

    async def _principals(self, metadata: Metadata, peer: str) -> Principals:
        try:
            credential = _credential_of(metadata)
            if credential is not None:
                return await self._accepted(credential)
        except BadCredentials as error:
            _log.info("credentials refused", why=str(error), peer=peer)
            raise Unauthenticated(
                "CREDENTIALS_INVALID", "The credentials are not accepted: see the gateway's log."
            ) from None
        if not self._settings.anonymous:
            message = "The call has no credentials: send a token (authorization: Bearer ...) or an API key (x-api-key)."
            raise Unauthenticated("CREDENTIALS_MISSING", message)
        return ()

    async def _accepted(self, credential: str) -> Principals:
        if credential.startswith(KEY_PREFIX):
            if self._keys is None:
                raise BadCredentials("API keys are not accepted here")
            return self._keys.principals(credential)
        if self._tokens is None:
            raise BadCredentials("tokens are not accepted here")
        return await self._tokens.principals(credential)


@asynccontextmanager
async def open_gate(settings: AuthSettings, trust: TrustSettings) -> AsyncIterator[Gate]:
    """The gate of the gateway.

    Raises:
        SettingsError: the settings do not fit each other, or a file cannot be used.
    """
    settings.check()
    async with AsyncExitStack() as stack:
        keys = ApiKeys(settings.keys) if settings.keys else None
        tokens = await _open_tokens(settings, stack) if settings.jwks else None
        yield CallerGate(settings, keys, tokens, open_origin_secrets(trust))


async def _open_tokens(settings: AuthSettings, stack: AsyncExitStack) -> "TokenVerifier":
    from gateway.identity.issuer_keys import open_issuer_keys
    from gateway.identity.tokens import TokenVerifier

    return TokenVerifier(settings, await stack.enter_async_context(open_issuer_keys(settings)))


def _credential_of(metadata: Metadata) -> str | None:
    """The token or API key of a call: `authorization: Bearer …` or `x-api-key: …`; None if there is neither.

    Raises:
        BadCredentials: there is more than one, or it is of another kind.
    """
    entries = [(key, str(value).strip()) for key, value in metadata if key in (AUTHORIZATION, API_KEY)]
    if not entries:
        return None
    if len(entries) > 1:
        raise BadCredentials("there are several credentials")
    ((key, value),) = entries
    if key == API_KEY:
        if not value.startswith(KEY_PREFIX):
            raise BadCredentials("the key is not one of parley's")
        return value
    scheme, _, rest = value.partition(" ")
    if scheme.lower() != "bearer" or not rest.strip():
        raise BadCredentials("the scheme is not Bearer")
    return rest.strip()
