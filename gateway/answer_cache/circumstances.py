"""Asks the suite for what answers depend on outside of their turns."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from typing import Any, Final

from gateway.answer_cache.miss import SuiteState
from gateway.store.sessions import SessionStore
from libs.runtime.calling.channel import unary
from libs.runtime.errors import DeadlineExceeded
from parley.retrieve.v1 import corpus_pb2
from parley.runtime.v1 import server_info_pb2

SECONDS: Final = 1.0
"""Timeout of a state; without it nothing is cached."""
ENGINES_SECONDS: Final = 1.0
"""How long the stages' descriptions hold: a stage takes two to three seconds to start. Asking all of them twice a turn
cost 12 of 60 ms of processor time."""


class SuiteCircumstances:
    """The Circumstances of this gateway's suite."""

    def __init__(
        self, corpus: Any, processes: Sequence[Any], sessions: SessionStore, engines_seconds: float = ENGINES_SECONDS
    ) -> None:
        """Create it.

        Args:
            corpus: the servicer of CorpusService, or a `Forwarding` to it.
            processes: stubs of ServerInfoService, one for each other process of the suite.
            sessions: the sessions.
            engines_seconds: how long the descriptions of the processes hold.
        """
        self._corpus = corpus
        self._processes = processes
        self._sessions = sessions
        self._engines_seconds = engines_seconds
        self._engines = ""
        self._engines_until = 0.0

    async def state(self, collection: str) -> SuiteState:
        """See Circumstances."""
        try:
            async with asyncio.timeout(SECONDS):
                return SuiteState(*await asyncio.gather(self._version(collection), self._current_engines()))
        except TimeoutError as error:
            raise DeadlineExceeded("the suite does not say what it is made of") from error

    async def _version(self, collection: str) -> str:
        request = corpus_pb2.GetCollectionRequest(name=collection, admin=True)  # the gateway's own question
        response = await self._corpus.GetCollection(request, None)
        return str(response.collection.version)

    async def _current_engines(self) -> str:
        now = time.monotonic()
        if now >= self._engines_until:
            descriptions = await asyncio.gather(*map(_description, self._processes))
            self._engines = hashlib.blake2b(b"".join(descriptions), digest_size=16).hexdigest()
            self._engines_until = now + self._engines_seconds
        return self._engines

    async def session_key(self, session_id: str) -> str:
        """See Circumstances."""
        session = await self._sessions.session(session_id)
        return session.key if session is not None else ""


async def _description(process: Any) -> bytes:
    """Describe a process; what differs between two processes that do the same is left out."""
    info = await unary(process.GetServerInfo, server_info_pb2.GetServerInfoRequest(), timeout=SECONDS)
    stable = server_info_pb2.GetServerInfoResponse(
        name=info.name,
        version=info.version,
        capabilities=info.capabilities,
        python_version=info.python_version,
        settings_digest=info.settings_digest,
    )
    return stable.SerializeToString(deterministic=True)
