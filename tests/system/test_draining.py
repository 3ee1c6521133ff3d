"""A whole suite under load: stopped, and with stages that hang or die."""

import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest

from bench.suite import RunningSuite, running_suite
from parley.gateway.v1 import event_pb2, gateway_pb2, gateway_pb2_grpc
from tests.fakes.scripted_llm import LlmRequest, ScriptedLlm
from tests.system.door import parley
from tests.system.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("draining")]

STAGES = ("intent", "decompose", "retrieve", "answer", "timeline")
QUESTION = "When did Phoenix land on Mars?"
NOTE = "# Phoenix\n\nPhoenix landed on Mars on 25 May 2008. It dug for water ice there.\n"
CLEAR = {("UNAVAILABLE", "STAGE_UNAVAILABLE"), ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")}


def turn(suite: RunningSuite, question: str = QUESTION) -> list[event_pb2.Event]:
    with grpc.insecure_channel(suite.address) as channel:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        request = gateway_pb2.AskRequest(question=question, options=gateway_pb2.RequestOptions(pro=True))
        return [response.event for response in stub.Ask(request, timeout=60)]
