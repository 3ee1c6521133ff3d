"""An issuer of JSON Web Tokens, and its public key as a JWKS (RFC 7515, 7517, 7519; ES256)."""

import base64
import json
import time
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

COORDINATE_BYTES = 32
HOUR = 3600


class Issuer:
    """Signs claims; what is not claimed gets the defaults of deploy/envoy/public.yaml."""

    def __init__(self, name: str = "https://login.example.org", key_id: str = "first") -> None:
        self._name = name
        self._key_id = key_id
        self._key = ec.generate_private_key(ec.SECP256R1())

    @property
    def jwks(self) -> str:
        """The public key."""
        numbers = self._key.public_key().public_numbers()
        point = {"x": _encoded(_bytes(numbers.x)), "y": _encoded(_bytes(numbers.y))}
        return json.dumps({"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": self._key_id, **point}]})

    def token(self, subject: str, **claims: Any) -> str:
        """A signed token."""
        defaults = {"iss": self._name, "sub": subject, "aud": "parley", "exp": int(time.time()) + HOUR}
        header = {"alg": "ES256", "typ": "JWT", "kid": self._key_id}
        content = ".".join(_encoded(json.dumps(part).encode()) for part in (header, defaults | claims))
        signature = decode_dss_signature(self._key.sign(content.encode(), ec.ECDSA(SHA256())))
        return f"{content}.{_encoded(b''.join(map(_bytes, signature)))}"


def _bytes(number: int) -> bytes:
    return number.to_bytes(COORDINATE_BYTES)


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
