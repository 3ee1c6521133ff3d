"""HTTPS with a certificate that is read anew when its files change, as that of the gRPC servers is.

Each handshake takes the certificate of the moment; connections that exist stay. Files that are half written, or do not
fit each other yet, are not taken: what was valid before stays in use, with a warning.
"""

import ssl
from pathlib import Path

from libs.runtime.security.tls import load_certificate
from libs.runtime.security.watched_files import WatchedFiles


def https_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """The context of a server that takes a new certificate as soon as its files change.

    Args:
        certificate: PEM file with the certificate and the intermediate ones.
        key: PEM file with its private key, without a password.

    Raises:
        SettingsError: the files cannot be used.
    """
    contexts = WatchedFiles([certificate, key], lambda: _context(certificate, key), "HTTPS: the files cannot be used")

    def choose(connection: ssl.SSLObject, _name: str | None, _listening: ssl.SSLContext) -> None:
        """Called in each handshake, on the event loop; looks at the files at most once a second."""
        connection.context = contexts.current()

    listening = contexts.current()
    listening.sni_callback = choose
    return listening


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    """A context of its own for each certificate: one whose new files fail half-way would have lost the earlier ones."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    load_certificate(context, certificate, key)
    return context
