"""A turn that is run again by the gateway that took it over, matched with the events that are logged already.

How a turn goes on after its gateway went down:

- What was logged stands: it may have been sent. Its numbers are taken, and nothing of it is sent again.
- The turn is run from its beginning, over the logged results of its stage calls (`gateway.stage_calls.call_log`).
  Only calls that had not come to their end are made; in most cases that is the answer that was being written.
- Events that are logged already are dropped. They are matched by what they are about and not by their place, since
  concurrent parts of a turn may emit theirs in another order. Times and usage differ from run to run; the logged ones
  stand. A sentence is matched by its text, as a language model's text comes in other pieces each time: what goes beyond
  the logged text is sent.
- The rules write the same answer again, and so may a language model. If it does not, the two texts don't fit together,
  nor do the text and other references. Then the run is given up: the sentences that are logged whole are the answer, a
  sentence that is logged in part is withdrawn, and a `degraded` event says so (`gateway.events.logged_answer`).
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from gateway.events.event_stream import Emit
from gateway.events.events import (
    Completed,
    Plan,
    Recommendation,
    References,
    State,
    SubQuery,
    TextEnd,
    TurnEvent,
    UsageReport,
)
from libs.contracts.answers import TextDelta
from libs.contracts.query import DecisionRecord
from libs.contracts.understanding import Understanding

Subject = tuple[object, ...]
"""What an event is about, if the first event about it stands."""


class Rerun:
    """Receives the events of the second run and emits those that are new.

    Args:
        logged: the events of the first run.
        emit: receives the new ones.
        read: returns an event as it reads from the log.
    """

    def __init__(self, logged: Iterable[TurnEvent], emit: Emit, read: Callable[[TurnEvent], TurnEvent]) -> None:
        self.logged = tuple(logged)
        self._emit = emit
        self._read = read
        self._subjects = {_subject(event) for event in self.logged} - {()}
        self._unmatched = [event for event in self.logged if not _subject(event)]
        """Logged events that may occur several times, and did not occur in this run yet."""
        self._texts: dict[int, str] = {}
        """The logged text of each sentence, by number."""
        for event in self.logged:
            if isinstance(event, TextDelta):
                self._texts[event.sentence] = self._texts.get(event.sentence, "") + event.delta
        self._is_finished = any(isinstance(event, TextEnd) for event in self.logged)
        self._rewritten: dict[int, str] = {}
        """The text of each sentence in this run."""
        self.has_diverged = False
        self.on_divergence: Callable[[], object] = lambda: None
        """Called when the run has to be given up; its later events are dropped."""

    @property
    def has_text(self) -> bool:
        """Whether a part of the answer is logged."""
        return bool(self._texts)

    def __call__(self, event: TurnEvent) -> None:
        """Emit an event, unless it is logged."""
        if self.has_diverged:
            return
        if isinstance(event, TextDelta):
            self._take_text(event)
        elif not self._fits(event):
            self._diverge()
        elif not self._is_logged(event):
            self._emit(event)

    def _is_logged(self, event: TurnEvent) -> bool:
        """Whether the event is logged; an event that occurs several times has to be logged as often."""
        subject = _subject(event)
        if subject:
            return subject in self._subjects
        content = self._read(event)
        if content not in self._unmatched:
            return False
        self._unmatched.remove(content)
        return True

    def _fits(self, event: TurnEvent) -> bool:
        """Whether the event goes with what is logged of the answer."""
        if isinstance(event, References) and self.has_text and not self._rewritten:
            return self._read(event) in self.logged
        if isinstance(event, TextEnd):
            ends = [logged for logged in self.logged if isinstance(logged, TextEnd)]
            is_rewritten = all(len(self._rewritten.get(n, "")) >= len(text) for n, text in self._texts.items())
            return is_rewritten and ends in ([], [self._read(event)])
        return True

    def _take_text(self, event: TextDelta) -> None:
        number, logged = event.sentence, self._texts.get(event.sentence, "")
        before = self._rewritten.get(number, "")
        after = self._rewritten[number] = before + event.delta
        may_go_on = number >= max(self._texts, default=0) and not self._is_finished
        if not (after.startswith(logged) if may_go_on and len(after) > len(logged) else logged.startswith(after)):
            self._diverge()
        elif len(after) > len(logged):
            self._emit(replace(event, delta=after[max(len(before), len(logged)) :]))

    def _diverge(self) -> None:
        self.has_diverged = True
        self.on_divergence()


def _subject(event: TurnEvent) -> Subject:
    """Return what the event is about; empty for an event that a later one about the same may follow."""
    if isinstance(event, DecisionRecord | Understanding | Recommendation | UsageReport | Completed):
        return (type(event),)
    if isinstance(event, Plan):
        return Plan, event.timeline
    if isinstance(event, SubQuery):
        return SubQuery, event.node_id, event.status
    if isinstance(event, State):
        return State, event.stage, event.activity, event.done
    return ()
