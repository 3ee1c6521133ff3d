"""What is asked about the lighthouse, what is true of it, and which requests a model gets."""

import json

from tests.fakes.scripted_llm import LlmRequest

LIGHTHOUSE = """# The lighthouse of Harrow Point

The lighthouse of Harrow Point was lit on 3 May 1871. The tower of the lighthouse stands 42 metres high.
The last keeper of the lighthouse, Ada Finch, left on 30 June 1964, when the lamp became automatic.
"""
LIT = "When was the lighthouse of Harrow Point lit?"
LIT_ON = "The lighthouse of Harrow Point was lit on 3 May 1871."
HISTORY = (LIT, LIT_ON)
FOLLOW_UP = "And how high is it?"
STANDALONE = "How high is the lighthouse of Harrow Point?"
HEIGHT = "The tower of the lighthouse of Harrow Point stands 42 metres high [1]."


def condensing(request: LlmRequest) -> bool:
    return request.schema is not None


def writing(request: LlmRequest) -> bool:
    return request.writes


def standalone(text: str) -> str:
    return json.dumps({"standalone": text})
