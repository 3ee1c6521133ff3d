"""What a call that is passed on says of its caller's rights is what the gateway knows."""

from typing import Any

import pytest

from gateway.access.guard import AccessGuard, Grant
from gateway.calling.relays import CorpusRelay
from parley.retrieve.v1 import corpus_pb2


class Stage:
    """Keeps the last request."""

    async def PutDocument(self, request: corpus_pb2.PutDocumentRequest, context: Any) -> corpus_pb2.PutDocumentResponse:
        self.request = request
        return corpus_pb2.PutDocumentResponse()


class Context:
    """A call of Bob from this machine."""

    def peer(self) -> str:
        return "ipv4:127.0.0.1:4711"

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("x-parley-principal", "bob"),)


@pytest.mark.parametrize("is_claimed", [True, False])
@pytest.mark.parametrize(
    ("grants", "granted", "admin"),
    [
        (None, False, False),
        ([Grant(principal="bob", collection="hr", role="write")], True, False),
        ([Grant(principal="*", collection="h*", role="admin")], True, True),
    ],
)
async def test_grants_alone_give_rights(
    grants: list[Grant] | None, granted: bool, admin: bool, is_claimed: bool
) -> None:
    stage = Stage()
    guard = AccessGuard() if grants is None else AccessGuard(lambda: grants)
    relay = CorpusRelay(stage, guard, audit=None)  # type: ignore[arg-type]
    request = corpus_pb2.PutDocumentRequest(collection="hr", principals=["ann"], granted=is_claimed, admin=is_claimed)
    await relay.PutDocument(request, Context())
    assert (list(stage.request.principals), stage.request.granted, stage.request.admin) == (["bob"], granted, admin)
