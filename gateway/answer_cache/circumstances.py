"""Asks the suite for what answers depend on outside of their turns."""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, Final

from gateway.answer_cache.miss import SuiteState
from gateway.store.sessions import SessionStore
from libs.runtime.channel import unary
from libs.runtime.errors import DeadlineExceeded
from parley.retrieve.v1 import corpus_pb2
from parley.runtime.v1 import server_info_pb2

SECONDS: Final = 1.0
"""Timeout of a state; without it nothing is cached."""


class SuiteCircumstances:
    """The Circumstances of this gateway's suite."""

    def __init__(self, corpus: Any, processes: Sequence[Any], sessions: SessionStore) -> None:
        """Create it.

        Args:
            corpus: the servicer of CorpusService, or a `Forwarding` to it.
            processes: stubs of ServerInfoService, one for each other process of the suite.
            sessions: the sessions.
        """
        self._corpus = corpus
        self._processes = processes
        self._sessions = sessions

    async def state(self, collection: str) -> SuiteState:
        """See Circumstances."""
        try:
            async with asyncio.timeout(SECONDS):
                version, engines = await asyncio.gather(
                    self._version(collection), asyncio.gather(*(_engines(process) for process in self._processes))
                )
        except TimeoutError as error:
            raise DeadlineExceeded("the suite does not say what it is made of") from error
        return SuiteState(version, hashlib.blake2b(b"".join(engines), digest_size=16).hexdigest())

    async def _version(self, collection: str) -> str:
        response = await self._corpus.GetCollection(corpus_pb2.GetCollectionRequest(name=collection), None)
        return str(response.collection.version)

    async def session_key(self, session_id: str) -> str:
        """See Circumstances."""
        session = await self._sessions.session(session_id)
        return session.key if session is not None else ""


async def _engines(process: Any) -> bytes:
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
