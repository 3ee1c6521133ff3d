"""Opens a command's channels: over TLS if the settings say so, as those of the suite's own processes."""

import grpc

from cli.connection.authorization import UnusableCredentialsError, authorized
from cli.connection.configuration import may_be_set
from parley.client.gateways import open_channel


class UnusableSettings(Exception):  # noqa: N818 - it names what is wrong
    """The settings of TLS or the credentials are unusable; the message names them."""


def channel_to(addresses: str) -> grpc.Channel:
    """A channel to one process, or to all gateways of a suite; see `parley.client.gateways.open_channel`.

    Raises:
        ValueError: a host has no address.
        UnusableSettings: the settings of TLS are invalid, or a file that they name cannot be used.
    """
    credentials, server_name = _security()
    return open_channel(addresses, credentials, server_name)


def authorized_channel_to(addresses: str) -> grpc.Channel:
    """The same, with the credentials of the environment in each call (see `cli.connection.authorization`).

    Raises:
        ValueError: a host has no address.
        UnusableSettings: as with `channel_to`; also if the credentials cannot be sent.
    """
    credentials, server_name = _security()
    channel = open_channel(addresses, credentials, server_name)
    try:
        return authorized(channel, addresses, is_encrypted=credentials is not None)
    except UnusableCredentialsError as error:
        channel.close()
        raise UnusableSettings(str(error)) from None


def _security() -> tuple[grpc.ChannelCredentials | None, str]:
    """Credentials, and the name that a server's certificate must hold; without TLS neither."""
    if not may_be_set("tls"):
        return None, ""
    from libs.runtime.security.tls import TlsSettings, channel_credentials, channel_files
    from libs.runtime.settings import SettingsError

    try:
        settings = TlsSettings()
        settings.check()
        if not settings.calls:
            return None, ""
        return channel_credentials(channel_files(settings).current()), settings.server_name
    except SettingsError as error:
        raise UnusableSettings(str(error)) from None
