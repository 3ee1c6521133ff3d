"""Settings of a command as a client of a gateway."""

from pathlib import Path

from pydantic import Field, SecretStr

from libs.runtime.settings import AreaSettings


class ClientSettings(AreaSettings, area="client"):
    """The credentials that a command sends to the gateway, a token or an API key. None: it sends none.

    `parley.client.evaluation.Gateway` reads the token too, and `PARLEY_CLIENT_ADDRESS`, the `host:port` of the gateways
    with commas between them.
    """

    token: SecretStr = Field(default=SecretStr(""))
    """A token or an API key."""
    token_file: Path | None = None
    """File with the token or API key instead. It is read for each call, as a token may be renewed."""
    insecure: bool = False
    """Send credentials in plain text to other machines, too, as where a mesh encrypts."""
