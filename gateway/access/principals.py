"""The caller's principals, the names that it has rights by, and where a call comes from.

Where callers are asked for credentials (`gateway.identity`), they are those of the credentials. Elsewhere they are the
metadata `x-parley-principal`, repeatable, trusted from loopback only. A process on this machine that passes on the
calls of others, as the HTTP server does, says in `x-parley-peer` where each comes from. That too is trusted from
loopback only; it can make a stranger of a caller on this machine, but not the other way round. One that proves to be
the suite's HTTP process (`gateway.identity.gate`) is believed from elsewhere too, but only to tell callers apart.
"""

import hashlib
import ipaddress
from typing import Any, Final
from urllib.parse import unquote

from gateway.identity.caller import API_KEY, AUTHENTICATED, AUTHORIZATION, PROVEN_ORIGIN
from libs.runtime.limits.hosts import host_of
from libs.runtime.security.trust import ORIGIN_KEY

PRINCIPAL_KEY: Final = "x-parley-principal"
LOCAL_SCHEMES: Final = ("ipv4", "ipv6")
"""Of peers whose address may be this machine's; that of a forwarded one is only what a proxy says."""


def caller_of(context: Any) -> tuple[str, ...]:
    """Return the principals of the call being served, which has this gRPC context.

    Those that a call itself claims count only if its caller is on this machine.
    """
    principals = AUTHENTICATED.get()
    if principals is not None:
        return principals
    if not is_local(origin_of(context)):
        return ()
    claimed = (str(value) for key, value in context.invocation_metadata() or () if key == PRINCIPAL_KEY)
    return tuple(dict.fromkeys(filter(None, claimed)))


def origin_of(context: Any) -> str:
    """Return the peer of a call; of one that a process on this machine passes on, where that comes from."""
    peer: str = context.peer()
    if AUTHENTICATED.get() is not None or not is_local(peer):
        return peer
    passed_on = (str(value) for key, value in context.invocation_metadata() or () if key == ORIGIN_KEY)
    return next(passed_on, peer)


def sender_of(context: Any) -> str:
    """Return whose call it is, to share the suite fairly: its principals, else its credentials, else its host."""
    if caller_of(context):
        return source_of(context)
    metadata = () if AUTHENTICATED.get() is not None else tuple(context.invocation_metadata() or ())
    credentials = " ".join(str(value) for key, value in metadata if key in (AUTHORIZATION, API_KEY))
    if not credentials:
        return source_of(context)
    # Senders are kept in quotas for a day, and credentials may be long.
    return f"credentials {hashlib.sha256(credentials.encode(errors='replace')).hexdigest()}"


def source_of(context: Any) -> str:
    """Return whose call it is by what a stranger cannot choose for each call: its principals, else its host."""
    principals = caller_of(context)
    return " ".join(("principals", *sorted(principals))) if principals else host_of(sent_from(context))


def sent_from(context: Any) -> str:
    """Return where a call was sent from, for shares and records: it makes nobody a caller of this machine."""
    return PROVEN_ORIGIN.get() or origin_of(context)


def is_stranger(context: Any) -> bool:
    """Whether the caller cannot be told apart from others: it has no principals and is not this machine's user."""
    return not caller_of(context) and (AUTHENTICATED.get() is not None or not is_local(origin_of(context)))


def is_local(peer: str) -> bool:
    """Whether a peer is a process on this machine: `ipv4:127.0.0.1:40332`, `ipv6:%5B::1%5D:40332`, `unix:…`."""
    scheme, _, rest = unquote(peer).partition(":")
    if scheme not in LOCAL_SCHEMES:
        return scheme == "unix"
    address = rest.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
