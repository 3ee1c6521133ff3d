"""The gRPC context of a call, as far as it says whose call it is."""

from dataclasses import dataclass

LOCAL, REMOTE = "ipv4:127.0.0.1:40332", "ipv4:192.0.2.7:40332"


@dataclass(frozen=True)
class CallContext:
    """A call from an address with metadata."""

    origin: str = LOCAL
    metadata: tuple[tuple[str, str], ...] = ()

    def peer(self) -> str:
        return self.origin

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self.metadata


def claiming(*principals: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller that names its principals itself."""
    return tuple(("x-parley-principal", principal) for principal in principals)
