"""The text of an answer in the order in which it may be shown for good.

A terminal or a chat completion cannot take back what it has shown. So a sentence is sent once it is checked; those
before it that need no check go along. What was withdrawn is never sent. If the turn is restarted, what was sent stays,
and the text of the new run goes on behind it. A pure computation over events.
"""

from collections import defaultdict

from parley.client.events import CitationEvent, RestartedEvent, TextEndEvent, TextEvent, TurnEvent


class ReleasedText:
    """Takes a turn's events, and gives the text that may be sent after each."""

    def __init__(self) -> None:
        self._sentences: defaultdict[int, str] = defaultdict(str)
        self._turn_id = ""
        self._last = 0
        """The last sentence that was sent."""
        self.text = ""
        """What was sent."""

    def after(self, event: TurnEvent) -> str:
        """The text to send after this event; mostly empty."""
        if event.turn_id != self._turn_id or isinstance(event, RestartedEvent):
            self._turn_id = event.turn_id
            self._sentences.clear()
        if isinstance(event, TextEvent):
            self._sentences[event.sentence] += event.delta
        if isinstance(event, CitationEvent) and event.citation.sentence > self._last:
            return self._send(self._until(event))
        return self._send(self._rest(event.text)) if isinstance(event, TextEndEvent) else ""

    def _until(self, event: CitationEvent) -> str:
        """The sentences up to a checked one."""
        number, checked = event.citation.sentence, event.citation.text
        before = "".join(self._sentences[each] for each in range(self._last + 1, number))
        self._last = number
        written = self._sentences[number]
        space = written[: len(written) - len(written.lstrip())]
        return before + space + checked if checked else before

    def _rest(self, final: str) -> str:
        """What of the final text was not sent; no sentence follows it."""
        self._last = max((self._last, *self._sentences))
        if final.startswith(self.text):
            return final[len(self.text) :]
        end = self.text.strip().rpartition("\n")[2]
        place = final.rfind(end) if end else -1
        return final[place + len(end) :] if place >= 0 else ""

    def _send(self, text: str) -> str:
        self.text += text
        return text
