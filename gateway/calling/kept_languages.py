"""Stages whose answers on the languages of collections are kept for some seconds."""

import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Final, cast

from gateway.calling.stages import Stages
from libs.contracts.methods import Request, Response, Step, StreamMethod, UnaryMethod
from libs.contracts.stages.retrieve import LIST_LANGUAGES, Languages, ListLanguagesRequest

KEPT_SECONDS: Final = 10.0
"""Documents in another language are rarely added, and each call costs 1.5 of a turn's 50 ms of a processor (taste)."""
MOST_KEPT: Final = 1024
"""Answers, one for each collection and caller; then all are forgotten (taste)."""


@dataclass(frozen=True, slots=True)
class LanguageKeepingStages:
    """Asks other stages; errors are not kept."""

    stages: Stages
    seconds: float = KEPT_SECONDS
    _kept: dict[object, tuple[float, Languages]] = field(default_factory=dict)
    """By request: until when, and the response."""

    def stream(self, method: StreamMethod[Request, Step], request: Request) -> AsyncGenerator[Step, None]:
        """Yield the steps of a call; ParleyError if it fails."""
        return self.stages.stream(method, request)

    async def unary(self, method: UnaryMethod[Request, Response], request: Request) -> Response:
        """Return the response of a call; ParleyError if it fails."""
        if method.path != LIST_LANGUAGES.path:
            return await self.stages.unary(method, request)
        until, response = self._kept.get(request, (0.0, Languages()))
        if time.monotonic() >= until:
            response = await self.stages.unary(LIST_LANGUAGES, cast("ListLanguagesRequest", request))
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[request] = time.monotonic() + self.seconds, response
        return cast("Response", response)
