"""Bad input gets a clear status with the field's path, and harms nothing."""

from collections.abc import Callable

import grpc
import pytest

from libs.runtime.errors import InvalidInput
from libs.runtime.status import error_from_rpc
from parley.answer.v1 import answer_pb2
from parley.context.v1 import conversation_pb2
from parley.gateway.v1 import gateway_pb2
from tests.system.door import Door, one

pytestmark = pytest.mark.xdist_group("suite")

Ask = gateway_pb2.AskRequest
Options = gateway_pb2.RequestOptions
WRITE = answer_pb2.WriteOnceRequest(write=answer_pb2.WriteRequest(question="?"))


def refused(call: Callable[[], object]) -> tuple[grpc.StatusCode, str, list[str]]:
    """Code, reason and fields of a refused call."""
    with pytest.raises(grpc.RpcError) as error:
        call()
    rebuilt = error_from_rpc(error.value)
    return (
        error.value.code(),
        rebuilt.reason,
        [v.field for v in rebuilt.violations] if isinstance(rebuilt, InvalidInput) else [],
    )


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (Ask(), "question"),
        (Ask(question="  \n"), "question"),
        (Ask(question="x" * 1_000_000), "question"),
        (Ask(question="?", session_id="a b"), "session_id"),
        (Ask(question="?", session_id="x" * 129), "session_id"),
        (Ask(question="?", context="not a context"), "context"),
        (Ask(question="?", session_id="s", context="UAE="), "context"),
        (Ask(question="?", options=Options(time_zone="Mars/Olympus")), "options.time_zone"),
        (Ask(question="?", options=Options(ranking=-1)), "options.ranking"),
        (Ask(question="?", history=[conversation_pb2.HistoryMessage(text="hello")]), "history[0].speaker"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_request_names_its_field(door: Door, request_: Ask, field: str) -> None:
    code, _, fields = refused(lambda: list(door.gateway.Ask(request_)))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert set(fields) == {field}


def test_an_unknown_collection_is_not_found(door: Door) -> None:
    code, reason, _ = refused(lambda: door.ask("When did Viking 1 land?", collection="nowhere"))
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, "COLLECTION_NOT_FOUND")


def test_what_is_not_there_yet_says_so(door: Door) -> None:
    code, reason, _ = refused(lambda: door.answer.WriteOnce(WRITE))
    assert (code, reason) == (grpc.StatusCode.UNIMPLEMENTED, "NOT_IMPLEMENTED")


def test_the_suite_goes_on_after_all_of_that(door: Door) -> None:
    assert one(door.ask("When was Venera 7 launched?"), "completed")
