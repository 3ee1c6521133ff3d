"""The host of a peer, to tell callers apart who have no names. Pure functions."""

import ipaddress
from typing import Final
from urllib.parse import unquote

NETWORK_BITS: Final = 64
"""Of an IPv6 address, those that its host chooses (RFC 4291)."""


def host_of(peer: str) -> str:
    """A peer without its port; of an IPv6 address only the network, as one client has all addresses in it."""
    scheme, _, host = unquote(peer).rpartition(":")[0].partition(":")
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return f"{scheme}:{host}"
    if isinstance(address, ipaddress.IPv4Address) or address.ipv4_mapped:
        return f"{scheme}:{host}"
    return f"{scheme}:[{ipaddress.IPv6Address(int(address) >> NETWORK_BITS << NETWORK_BITS)}]"
