"""What an RPC of a stage is: one descriptor, from which its callers, its server and its recording are made.

A descriptor stands beside the values of its request and steps in `libs.contracts.stages`. The method of the stage's
tasks that does the work has the RPC's name in lower case: `CondenseInSteps` is done by `condense_in_steps`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

Request = TypeVar("Request")
Step = TypeVar("Step")
Response = TypeVar("Response")


@dataclass(frozen=True, eq=False)
class Method(Generic[Request]):
    """An RPC of a stage."""

    path: str
    """`parley.<stage>.v1.<Service>/<RPC>`."""
    request: type[Request]
    deadline: Literal["stage", "write"] = field(default="stage", kw_only=True)
    """Which of the gateway's time limits applies: `stage_seconds` or `write_seconds`."""

    @property
    def service(self) -> str:
        """The full name of its service."""
        return self.path.partition("/")[0]

    @property
    def rpc(self) -> str:
        """Its name in the service, such as `CondenseInSteps`."""
        return self.path.partition("/")[2]

    @property
    def stage(self) -> str:
        """The name of its stage, such as `decompose`."""
        return self.path.split(".")[1]

    @property
    def task(self) -> str:
        """The method of the stage's tasks that does the work, such as `condense_in_steps`."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.rpc).lower()


@dataclass(frozen=True, eq=False)
class StreamMethod(Method[Request], Generic[Request, Step]):
    """An RPC that answers with a stream of steps; the last one is its result."""

    steps: Mapping[type, str]
    """The field of the response's oneof `step` for each type of step."""


@dataclass(frozen=True, eq=False)
class UnaryMethod(Method[Request], Generic[Request, Response]):
    """An RPC with one response."""

    response: type[Response]


AnyMethod = StreamMethod[Any, Any] | UnaryMethod[Any, Any]
