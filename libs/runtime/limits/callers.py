"""Limits of each caller: its share of the places for costly calls, and its quotas.

A quota counts from the beginning of a minute, or of a day in UTC, and what is over it is refused until the next one.
Counts are kept by this process alone: each of several gateways counts for itself, and a restart begins at 0. Tokens
are known when a turn has ended, well or not: a turn that begins below the quota may end above it.
"""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from libs.runtime.errors import QuotaExceeded
from libs.runtime.limits.admission import Admission
from libs.runtime.limits.pace import Pace
from libs.runtime.settings import AreaSettings

MINUTE: Final = 60.0
DAY: Final = 86_400.0


class QuotaSettings(AreaSettings, area="quota"):
    """What each caller of a gateway may use. Callers are their principals, else their credentials, else their host."""

    requests_per_minute: int = Field(default=0, ge=0)
    """Calls a minute, of all methods but health and reflection; 0: no quota."""
    tokens_per_day: int = Field(default=0, ge=0)
    """Tokens of language models a day (UTC), read and written; checked when a turn begins. 0: no quota."""
    ingest_bytes_per_day: int = Field(default=0, ge=0)
    """Bytes of the messages of PutDocument and Ingest a day (UTC); 0: no quota."""


@dataclass(slots=True)
class Allowance:
    """One quota: what each caller used in the present period."""

    name: str
    limit: int
    """0: no quota."""
    period: float
    """Seconds."""
    now: Callable[[], float] = time.time
    _used: dict[str, int] = field(default_factory=dict)
    _number: int = 0
    """Of the period that is counted."""

    def use(self, caller: str, amount: int) -> None:
        """Count what a caller is about to use.

        Raises:
            QuotaExceeded: it is more than what is left; nothing is counted.
        """
        self.require(caller, amount)
        self.count(caller, amount)

    def require(self, caller: str, amount: int = 1) -> None:
        """Check that so much is left, without counting it; errors as with `use`."""
        if self.limit and self._used_by(caller) + amount > self.limit:
            raise QuotaExceeded(self.name, self.limit, self.period - self.now() % self.period)

    def count(self, caller: str, amount: int) -> None:
        """Count what a caller has used, even if it is more than what was left."""
        if self.limit:
            self._used[caller] = self._used_by(caller) + amount

    def _used_by(self, caller: str) -> int:
        number = int(self.now() // self.period)
        if number != self._number:
            self._number, self._used = number, {}
        return self._used.get(caller, 0)


class CallerLimits:
    """The limits of the callers of some services, with nothing used yet; methods are named without their service.

    Args:
        identify: tells from the gRPC context whose call it is.
        costly: methods that wait for a place, and may use language models.
        ingesting: methods whose messages are documents.
        pace: how fast calls may be started, by what `locate` tells of them, which no caller can choose for each call.
    """

    def __init__(
        self,
        quotas: QuotaSettings,
        admission: Admission,
        identify: Callable[[Any], str],
        costly: frozenset[str] = frozenset(),
        ingesting: frozenset[str] = frozenset(),
        pace: Pace | None = None,
        locate: Callable[[Any], str] = str,
    ) -> None:
        self.pace, self.locate = pace, locate
        self.identify, self.costly, self.ingesting, self.admission = identify, costly, ingesting, admission
        self.requests = Allowance("requests_per_minute", quotas.requests_per_minute, MINUTE)
        self.tokens = Allowance("tokens_per_day", quotas.tokens_per_day, DAY)
        self.ingest = Allowance("ingest_bytes_per_day", quotas.ingest_bytes_per_day, DAY)

    def begin(self, method: str, context: Any) -> None:
        """Count a call, and remember whose it is.

        Raises:
            QuotaExceeded: the caller may not make it now.
        """
        caller = self.identify(context)
        self.requests.use(caller, 1)
        if method in self.costly:
            self.tokens.require(caller)
        _present.set((caller, self.tokens))

    def receive(self, method: str, context: Any, size: int) -> None:
        """Count a message of so many bytes.

        Raises:
            QuotaExceeded: the caller may not store it now.
        """
        if self.ingest.limit and method in self.ingesting:
            self.ingest.use(present_caller(), size)

    def place(self, method: str, caller: str) -> AbstractAsyncContextManager[None]:
        """The place of a costly call among the others; nothing for a cheap one.

        Raises:
            Overloaded: none is free in time.
        """
        return self.admission.place(caller) if method in self.costly else nullcontext()


_present: ContextVar[tuple[str, Allowance | None]] = ContextVar("present", default=("", None))


def present_caller() -> str:
    """Whose call is being served; empty outside of calls, and where callers have no names."""
    return _present.get()[0]


def count_tokens(tokens: int) -> None:
    """Count tokens for the caller of the present call."""
    caller, quota = _present.get()
    if quota is not None:
        quota.count(caller, tokens)
