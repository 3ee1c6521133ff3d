"""Quotas of each caller: requests a minute, tokens of language models a day, bytes of documents a day.

A quota counts from the beginning of a minute, or of a day in UTC, and what is over it is refused until the next one.
Counts are kept by this process alone: each of several gateways counts for itself, and a restart begins at 0. Tokens
are known when a turn has ended, well or not: a turn that begins below the quota may end above it.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from libs.runtime.errors import QuotaExceeded
from libs.runtime.serving.admission import Caller
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
    _used: dict[Caller, int] = field(default_factory=dict)
    _number: int = 0
    """Of the period that is counted."""

    def use(self, caller: Caller, amount: int) -> None:
        """Count what a caller is about to use.

        Raises:
            QuotaExceeded: it is more than what is left; nothing is counted.
        """
        self.require(caller, amount)
        self.count(caller, amount)

    def require(self, caller: Caller, amount: int = 1) -> None:
        """Check that so much is left, without counting it.

        Raises:
            QuotaExceeded: it is not.
        """
        if not self.limit:
            return
        self._begin_period()
        if self._used.get(caller, 0) + amount > self.limit:
            raise QuotaExceeded(self.name, self.limit, self.period - self.now() % self.period)

    def count(self, caller: Caller, amount: int) -> None:
        """Count what a caller has used, even if it is more than what was left."""
        if self.limit:
            self._begin_period()
            self._used[caller] = self._used.get(caller, 0) + amount

    def _begin_period(self) -> None:
        number = int(self.now() // self.period)
        if number != self._number:
            self._number, self._used = number, {}


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of the callers of some services."""

    identify: Callable[[Any], Caller]
    """Tells from the gRPC context whose call it is."""
    requests: Allowance
    tokens: Allowance
    ingest: Allowance
    using_models: frozenset[str] = frozenset()
    """Methods that may use language models."""
    ingesting: frozenset[str] = frozenset()
    """Methods whose messages are documents."""

    def begin(self, method: str, context: Any) -> None:
        """Count a call, and let `count_tokens` count for its caller.

        Raises:
            QuotaExceeded: the caller may not make it now.
        """
        caller = self.identify(context)
        self.requests.use(caller, 1)
        if method in self.using_models:
            self.tokens.require(caller)
            _account.set(lambda tokens: self.tokens.count(caller, tokens))

    def receive(self, method: str, context: Any, size: int) -> None:
        """Count a message.

        Raises:
            QuotaExceeded: the caller may not store it now.
        """
        if self.ingest.limit and method in self.ingesting:
            self.ingest.use(self.identify(context), size)


_account: ContextVar[Callable[[int], None] | None] = ContextVar("account", default=None)


def count_tokens(tokens: int) -> None:
    """Count tokens for the caller of the present call, if there is a quota."""
    count = _account.get()
    if count is not None and tokens:
        count(tokens)


def quotas_of(
    settings: QuotaSettings, identify: Callable[[Any], Caller], using_models: frozenset[str], ingesting: frozenset[str]
) -> Quotas | None:
    """Return the quotas of a process, of which nothing is used yet; None if there are none."""
    requests = Allowance("requests_per_minute", settings.requests_per_minute, MINUTE)
    tokens = Allowance("tokens_per_day", settings.tokens_per_day, DAY)
    ingest = Allowance("ingest_bytes_per_day", settings.ingest_bytes_per_day, DAY)
    if not (requests.limit or tokens.limit or ingest.limit):
        return None
    return Quotas(identify, requests, tokens, ingest, using_models, ingesting)
