"""Each stage serves exactly the RPCs of its contract, with tasks and messages of the types that descriptors name."""

import typing
from types import ModuleType
from typing import Any

import pytest

from libs.contracts.methods import AnyMethod, StreamMethod
from libs.contracts.stages import answer, decompose, intent, retrieve, timeline
from libs.contracts.wire.fields import pairs
from libs.contracts.wire.methods import STEP, codec_of, service_descriptor
from services.answer.tasks import AnswerTasks
from services.decompose.tasks import DecomposeTasks
from services.intent.tasks import IntentTasks
from services.retrieve.tasks import RetrieveTasks
from services.timeline.tasks import TimelineTasks

STAGES: dict[ModuleType, type] = {
    intent: IntentTasks,
    decompose: DecomposeTasks,
    retrieve: RetrieveTasks,
    answer: AnswerTasks,
    timeline: TimelineTasks,
}
METHODS: list[Any] = [
    pytest.param(method, tasks, id=method.rpc) for stage, tasks in STAGES.items() for method in stage.METHODS
]


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
def test_a_stage_serves_every_rpc_of_its_service(stage: ModuleType) -> None:
    (service,) = {method.service for method in stage.METHODS}
    assert {method.rpc for method in stage.METHODS} == set(service_descriptor(service).methods_by_name)


@pytest.mark.parametrize(("method", "tasks"), METHODS)
def test_a_task_has_the_types_of_its_descriptor(method: AnyMethod, tasks: type) -> None:
    hints = typing.get_type_hints(getattr(tasks, method.task))
    assert hints["request"] is method.request
    if isinstance(method, StreamMethod):
        assert set(typing.get_args(typing.get_args(hints["return"])[0])) == set(method.steps)
    else:
        assert hints["return"] is method.response


@pytest.mark.parametrize(("method", "tasks"), METHODS)
def test_values_have_the_fields_of_their_messages(method: AnyMethod, tasks: type) -> None:
    codec = codec_of(method)
    request, response = codec.request_message.DESCRIPTOR, codec.response_message.DESCRIPTOR
    types: list[tuple[Any, Any]] = [(method.request, request)]
    if isinstance(method, StreamMethod):
        fields = {field.name: field.message_type for field in response.oneofs_by_name[STEP].fields}
        assert fields.keys() == set(method.steps.values())
        types += [(step, fields[name]) for step, name in method.steps.items()]
    else:
        types.append((method.response, response))
    for value_type, descriptor in types:
        assert {pair.name for pair in pairs(value_type, descriptor)} <= set(descriptor.fields_by_name)
