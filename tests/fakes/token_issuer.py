"""An issuer of tokens with keys of its own, and an HTTP server for their public halves."""

import asyncio
import base64
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import jwt
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

ISSUER: Final = "https://issuer.test"
AUDIENCE: Final = "parley"


class Issuer:
    """Signs tokens with one key for each algorithm; `name` begins the ids of its keys, `url` is its own name."""

    def __init__(self, name: str = "a", url: str = ISSUER) -> None:
        self._url = url
        rsa_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._keys: Mapping[str, Any] = {
            "RS256": rsa_key,
            "PS256": rsa_key,
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        }
        self._ids = {"RS256": f"{name}-rsa", "PS256": f"{name}-rsa", "ES256": f"{name}-ec", "EdDSA": f"{name}-ed"}

    def token(self, subject: str = "alice", algorithm: str = "ES256", **claims: Any) -> str:
        """A good token, unless the claims say otherwise; a claim of None is left out."""
        values = claims_of(subject) | {"iss": self._url} | claims
        present = {name: value for name, value in values.items() if value is not None}
        return jwt.encode(present, self._keys[algorithm], algorithm, headers={"kid": self._ids[algorithm]})

    def signed(self, claims: bytes) -> str:
        """A token with these bytes in place of claims."""
        return jwt.PyJWS().encode(claims, self._keys["ES256"], "ES256", headers={"kid": self._ids["ES256"]})

    def public_pem(self, algorithm: str) -> bytes:
        """The public key as everybody knows it."""
        from cryptography.hazmat.primitives import serialization

        public: bytes = (
            self._keys[algorithm]
            .public_key()
            .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        )
        return public

    def key_id(self, algorithm: str) -> str:
        """The id of a key."""
        return self._ids[algorithm]

    def key_set(self) -> bytes:
        """The public keys as a JWK Set."""
        keys = {
            self._ids[name]: jwt.get_algorithm_by_name(name).to_jwk(key.public_key(), as_dict=True)
            for name, key in self._keys.items()
        }
        return json.dumps({"keys": [{**key, "kid": key_id, "use": "sig"} for key_id, key in keys.items()]}).encode()


def claims_of(subject: str) -> dict[str, Any]:
    """The claims of a good token."""
    now = int(time.time())
    return {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now, "nbf": now, "exp": now + 600}


def raw_token(header: Mapping[str, Any], claims: Mapping[str, Any], signature: bytes = b"") -> str:
    """A token of any header and signature, as forgers make it."""
    parts = (json.dumps(header).encode(), json.dumps(claims).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


class KeyServer:
    """Answers with a JWK Set, or does not; counts how often it was asked."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.status = 200
        self.requests = 0
        self.url = ""
        self.goes_on = asyncio.Event()
        """Until it is set, nobody gets an answer."""
        self.goes_on.set()

    async def answer(self, request: web.Request) -> web.Response:
        self.requests += 1
        await self.goes_on.wait()
        return web.Response(body=self.content, status=self.status)


@asynccontextmanager
async def key_server(content: bytes) -> AsyncIterator[KeyServer]:
    """A server on a free port."""
    server, application = KeyServer(content), web.Application()
    application.router.add_get("/keys", server.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        server.url = f"http://{host}:{port}/keys"
        yield server
    finally:
        server.goes_on.set()
        await runner.cleanup()
