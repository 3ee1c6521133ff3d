"""Protection against server-side request forgery: only addresses of the public internet may be requested.

A host name is resolved here, and the connection goes to the address that was checked. So a name that resolves
differently the second time (DNS rebinding) has no effect.
"""

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address

NAT64: Final = IPv6Network("64:ff9b::/96")
"""Addresses that embed an IPv4 address in their last 32 bits (RFC 6052)."""

NOT_PUBLIC: Final = tuple(
    map(ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20", "64:ff9b:1::/48", "2001::/32"))
)
"""Networks that `is_global` of some Python versions wrongly reports as public: special and site-local networks,
documentation, local-use NAT64, Teredo (IANA's special-purpose registries; RFC 3879, RFC 9637)."""


class AddressRefused(Exception):  # noqa: N818 - it names what happened
    """The host must not be requested, or does not exist; the message says which."""


def is_public(address: Address) -> bool:
    """Whether the address is on the public internet: not loopback, private, multicast or reserved."""
    if isinstance(address, IPv6Address) and (inner := _inner(address)) is not None:
        return is_public(inner)
    if any(address in network for network in NOT_PUBLIC):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def resolve(host: str, port: int, allow_loopback: bool = False) -> Sequence[str]:
    """Resolve a host and check every address; return them in the system's order. The system is asked in a thread.

    Args:
        host: a name or an address, without brackets.
        port: the port of the connection.
        allow_loopback: also accept this machine's own addresses; for tests and for servers on the same machine.

    Raises:
        AddressRefused: the host does not exist, or one of its addresses is not public.
    """
    loop = asyncio.get_running_loop()
    try:
        entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise AddressRefused(f"there is no host {host}") from None
    addresses = [ip_address(str(entry[4][0]).partition("%")[0]) for entry in entries]
    if not all(is_public(address) or (allow_loopback and _is_loopback(address)) for address in addresses):
        own = ": it is this machine, which --allow-loopback allows" if all(map(_is_loopback, addresses)) else ""
        raise AddressRefused(f"{host} is not on the public internet{own}")
    return list(dict.fromkeys(map(str, addresses)))


def _inner(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address embedded in an IPv6 address; None if it embeds none."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    return IPv4Address(int(address) & 0xFFFF_FFFF) if address in NAT64 else None  # its last 32 bits


def _is_loopback(address: Address) -> bool:
    inner = _inner(address) if isinstance(address, IPv6Address) else None
    return (inner or address).is_loopback
