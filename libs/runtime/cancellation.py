"""Stops work in a thread that nobody waits for any more.

A thread cannot be stopped from outside. So work in a thread asks now and then whether it has been cancelled: what reads
texts for the rules does so by itself (`libs.text.memoize`), loops over many values call `raise_if_cancelled`. Without
this, one call with 200 sentences and 150 long passages kept a core busy for minutes after its caller's deadline.
"""

from contextvars import ContextVar


class WorkCancelled(BaseException):
    """Nobody waits for the result of this thread's work. Not an `Exception`, so that no fall-back replaces it."""


class CancellationToken:
    """Shared by work in a thread and whoever waits for its result."""

    __slots__ = ("is_cancelled",)

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        """Stop the work when it asks the next time; safe from any thread."""
        self.is_cancelled = True


_token: ContextVar[CancellationToken | None] = ContextVar("cancellation", default=None)


def raise_if_cancelled() -> None:
    """Stop here if nobody waits for the result; takes 0.1 us.

    Raises:
        WorkCancelled: the work that the caller belongs to has been cancelled.
    """
    token = _token.get()
    if token is not None and token.is_cancelled:
        raise WorkCancelled


def begin_work(token: CancellationToken) -> None:
    """Let a token stop the work of this context, which a thread has for itself (`libs.runtime.threads.in_thread`)."""
    _token.set(token)
