"""Asks a suite the questions of a file, and writes the events of each turn: a script that any commit's contracts run.

    python bench/comparison/asker.py ADDRESS QUESTIONS EVENTS

A line of QUESTIONS is {turn, conversation, request}, the request an AskRequest as JSON. A line of EVENTS is {turn,
request, events}, in the order of QUESTIONS; absent fields are left out. Conversations are asked side by side, their
turns one after the other. It imports nothing of this package, because the code of an earlier commit runs it.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict

from parley.gateway.v1 import gateway_pb2, gateway_pb2_grpc

CALLERS = 2  # taste
SECONDS = 600.0
"""Timeout of a turn: generous, so that a busy machine changes no answer."""
LENGTH_LIMITS = (("grpc.max_receive_message_length", 64 * 2**20),)  # as the Python client's


def ask(stub: gateway_pb2_grpc.GatewayServiceStub, turn: dict[str, Any]) -> dict[str, Any]:
    """Ask a turn; a failure is an event of its own."""
    request = ParseDict(turn["request"], gateway_pb2.AskRequest(), ignore_unknown_fields=True)
    events = []
    try:
        for response in stub.Ask(request, timeout=SECONDS):
            events.append(MessageToDict(response.event, preserving_proto_field_name=True))
    except grpc.RpcError as error:
        events.append({"failure": {"code": error.code().name, "details": error.details()}})
    return {"turn": turn["turn"], "request": turn["request"], "events": events}


def main(address: str, questions: str, answers: str) -> None:
    """Ask all turns of a file."""
    turns = [json.loads(line) for line in Path(questions).read_text(encoding="utf-8").splitlines()]
    conversations = [list(group) for _, group in groupby(turns, key=lambda turn: str(turn["conversation"]))]
    with grpc.insecure_channel(address, LENGTH_LIMITS) as channel, ThreadPoolExecutor(CALLERS) as pool:
        stub = gateway_pb2_grpc.GatewayServiceStub(channel)
        with Path(answers).open("w", encoding="utf-8") as file:
            for asked in pool.map(lambda conversation: [ask(stub, turn) for turn in conversation], conversations):
                file.writelines(json.dumps(turn, ensure_ascii=False) + "\n" for turn in asked)
                file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
