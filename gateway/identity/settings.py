"""How callers prove who they are: settings, read from PARLEY_AUTH_* variables, and whether they fit each other."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from libs.runtime.settings import AreaSettings, SettingsError

Algorithm = Literal["RS256", "PS256", "ES256", "EdDSA"]
"""Signatures by a private key alone: with a shared secret everybody who checks tokens could make them."""


class AuthSettings(AreaSettings, area="auth"):
    """How callers of the gateway prove who they are; with neither keys nor jwks the gateway does not ask them."""

    keys: Path | None = None
    """File with the hashes of API keys, one a line, as `parley key new` prints them. Read anew when it changes."""
    jwks: str = ""
    """The public keys of the issuer of tokens, as a JWK Set: an http(s) URL, or a file, which is read anew when it
    changes. Needs issuer and audience."""
    issuer: str = ""
    """The only issuer whose tokens are accepted (`iss`)."""
    audience: tuple[str, ...] = ()
    """Whom tokens must be made for: one of these (`aud`)."""
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "PS256", "ES256", "EdDSA"), min_length=1)
    """Accepted signatures."""
    subject_claim: str = Field(default="sub", min_length=1)
    """Claim that names the caller, who has it as principal. Take one that users cannot choose themselves. A claim
    inside another one is named with a dot: `account.id`."""
    group_claims: tuple[str, ...] = ()
    """Claims whose values are further principals, such as `groups` or `realm_access.roles`."""
    group_prefix: str = ""
    """Put before the principals from group_claims, so that no group is taken for a user of the same name; a
    subject that begins with it is refused."""
    max_age_seconds: float = Field(default=3600.0, gt=0)  # taste
    """Age at which the keys of the URL are fetched again; a key that was removed there is accepted for that long."""
    anonymous: bool = False
    """Admit callers without credentials; they have no principals. Wrong credentials are refused all the same."""
    local_principals: bool = True
    """Believe the principals that callers on this machine name (`x-parley-principal`) where none are asked for
    credentials. Set it to false where the calls of others come from this machine too, as through a mesh's sidecar."""

    @property
    def is_set(self) -> bool:
        """Whether callers are asked for credentials."""
        return self.keys is not None or bool(self.jwks)

    def check(self) -> None:
        """Check that the settings fit each other.

        Raises:
            SettingsError: something is missing.
        """
        for field, value in (("issuer", self.issuer), ("audience", self.audience)):
            if self.jwks and not value:
                raise SettingsError(f"{self.variable(field)}: must be set, as {self.variable('jwks')} is")
            if value and not self.jwks:
                raise SettingsError(f"{self.variable('jwks')}: must be set, as {self.variable(field)} is")
        if self.anonymous and not self.is_set:
            raise SettingsError(
                f"{self.variable('anonymous')}: needs {self.variable('keys')} or {self.variable('jwks')}"
            )
