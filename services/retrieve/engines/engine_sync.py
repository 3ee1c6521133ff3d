"""Keeps one engine in sync with the corpus: opened on first use, and updated, in a thread, before it is searched."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from libs.runtime.errors import engine_unavailable
from services.retrieve.engines.protocols import FollowingEngine

Batch = TypeVar("Batch")
Engine = TypeVar("Engine", bound=FollowingEngine)  # type: ignore[type-arg]

_BATCH = 1000  # documents read from the corpus at once (taste)


class EngineSync(Generic[Engine, Batch]):
    """Manages one engine. Blocking and thread-safe.

    The engine is updated in a thread of its own, so that a search can stop waiting for a slow server.
    """

    def __init__(
        self,
        make: Callable[[], Engine | None],
        last_change: Callable[[], int],
        changes: Callable[[int, int], Batch | None],
        exclusive: Callable[[], AbstractContextManager[None]] | None = None,
    ) -> None:
        """Nothing is opened yet.

        Args:
            make: opens the engine; None while there is nothing for it to hold.
            last_change: the sequence number that it must reach.
            changes: the next changes after a sequence number, up to a limit; None if there are no more.
            exclusive: keeps other processes from applying changes to the same server; None if there are none.
        """
        self._make = make
        self._last_change = last_change
        self._changes = changes
        self._exclusive = exclusive
        self._thread = ThreadPoolExecutor(1, "following")
        self._over = threading.Event()
        self.engine: Engine | None = None
        """None while it is not open."""

    def current(self, patience: float | None = None) -> Engine | None:
        """The engine with every acknowledged write applied; None while there is nothing for it to hold.

        Args:
            patience: seconds to wait for pending writes; None waits indefinitely.

        Raises:
            Unavailable: it is a server that does not answer, or it has not yet applied every write.
        """
        engine = self.engine
        if engine is None or engine.sequence < self._last_change():
            following = self._thread.submit(self._bring_up)
            try:
                following.result(patience)
            except TimeoutError:
                following.cancel()
                raise engine_unavailable("The engine is still indexing: try again in a moment.") from None
        return self.engine

    def catch_up(self) -> None:
        """Apply every acknowledged write, however long it takes, and see whether a server still has what it had."""
        if (engine := self.current()) is not None:
            engine.check()

    def stop(self) -> None:
        """Stop after the batch that is being applied."""
        self._over.set()

    def close(self, *, destroy: bool = False) -> None:
        """Stop, and keep stored data or delete it."""
        self.stop()
        self._thread.shutdown()
        if self.engine is None:
            return
        if destroy:
            self.engine.destroy()
        else:
            self.engine.close()

    def _bring_up(self) -> None:
        self.engine = self.engine or self._make()
        engine, target = self.engine, self._last_change()
        if engine is None or engine.sequence >= target:
            return
        if self._exclusive is None:
            self._apply(engine, target)
            return
        with self._exclusive():
            engine.reread()
            self._apply(engine, target)

    def _apply(self, engine: Engine, target: int) -> None:
        while engine.followed < target and (batch := self._changes(engine.followed, _BATCH)) is not None:
            if self._over.is_set():
                raise engine_unavailable("The engine is being closed: try again in a moment.")
            engine.follow(batch)
        engine.commit()
