"""What a caller on the gateway's own machine says of itself, where callers are not asked for credentials."""

from gateway.identity.settings import AuthSettings
from tests.service.gateway.conftest import OpenDoor

ALICE = ("x-parley-principal", "alice")
TOKEN = ("authorization", "Bearer of-somebody-else")


async def test_it_is_believed_by_default(open_door: OpenDoor) -> None:
    async with open_door(AuthSettings()) as door:
        assert await door.principals(ALICE) == ["alice"]


async def test_behind_a_sidecar_it_is_believed_from_nobody(open_door: OpenDoor) -> None:
    async with open_door(AuthSettings(local_principals=False)) as door:
        assert await door.principals(ALICE) == []
        assert await door.principals(ALICE, ("x-parley-peer", "ipv4:127.0.0.1:1")) == []


async def test_credentials_that_a_mesh_checks_itself_are_no_fault(open_door: OpenDoor) -> None:
    async with open_door(AuthSettings(local_principals=False)) as door:
        assert await door.principals(TOKEN) == []
