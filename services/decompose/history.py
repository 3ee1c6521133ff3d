"""The bounded window on a conversation: recent turns in full, older ones as a running summary."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libs.contracts.conversation import ConversationView, HistoryMessage, Speaker
from libs.language.turns.reader import with_readings
from libs.text.sentences import newest_sentences

WHOLE_TURNS = 6
"""Turns that are read in full; older ones weigh less than .4 * .5^6 in every strategy (taste)."""
SUMMARY_CHARACTERS = 2000
"""Maximum length of the summary of older turns; its newest sentences are kept, whole (taste)."""
_CITATION = re.compile(r"\s?(?<!\\)\[\d{1,3}\](?!\()")
"""A citation mark that the answer stage added; it is not part of the conversation's text. Lengths here: taste."""
_PLACE = re.compile(r"(?m)^\*\*[^\n]{1,400}\*\* \[\d{1,3}\]$\n*")
"""A line of an answer that names the source of its quotations."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user turn and its answer, which is empty if there was none."""

    question: str
    answer: str = ""
    found_passages: bool = False
    """Whether it is known which passages were found for it."""
    asked_back: bool = False
    """Whether the answer was a clarifying question."""
    abstained: bool = False
    """Whether the documents did not answer it: its answer and passages are left out."""
    standalone: str = ""
    """The standalone question that the turn was taken for; empty if unknown."""


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """The part of a conversation that is read."""

    exchanges: tuple[Exchange, ...] = ()
    """The recent turns in full, oldest first."""
    summary: str = ""
    """The questions before them, oldest first; empty if there are none."""
    first_turn: int = 0
    """The index of the first exchange among all user turns of the conversation."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no earlier turn."""
        return not self.exchanges and not self.summary

    def texts(self) -> tuple[str, ...]:
        """All texts of the window: questions, then answers, then lines of the summary, each group newest first."""
        newest_first = self.exchanges[::-1]
        texts = [exchange.question for exchange in newest_first] + [exchange.answer for exchange in newest_first]
        return tuple(text for text in (*texts, *reversed(self.summary.splitlines())) if text)


def read_window(view: ConversationView) -> HistoryWindow:
    """Return the window on a conversation."""
    messages = with_readings(view).messages
    exchanges = _pair(messages, view.asked_back)
    older, recent = exchanges[:-WHOLE_TURNS], exchanges[-WHOLE_TURNS:]
    texts = [*view.summary.splitlines(), *(exchange.question for exchange in older)]
    language = next((message.reading.language for message in reversed(messages) if message.reading), "")
    summary = newest_sentences(texts, SUMMARY_CHARACTERS, language)
    return HistoryWindow(tuple(recent), summary, view.first_turn + len(older))


def _pair(messages: Sequence[HistoryMessage], asked_back: bool) -> list[Exchange]:
    """Pair each user turn with the agent's messages up to the next one.

    Turns that name no topic are left out: courtesies, wishes for another form, corrections that say no more than no.
    """
    exchanges: list[Exchange] = []
    for message in messages:
        if message.speaker is Speaker.USER:
            question = message.reading.text if message.reading and message.reading.kind else message.text
            exchanges.append(Exchange(question, standalone=message.standalone))
        elif exchanges and message.abstained:
            exchanges[-1] = replace(exchanges[-1], abstained=True)
        elif exchanges:
            newest = exchanges[-1]
            text = _CITATION.sub("", _PLACE.sub("", message.text))
            found_passages = newest.found_passages or bool(message.passages)
            answer = f"{newest.answer}\n{text}".strip()
            exchanges[-1] = replace(newest, answer=answer, found_passages=found_passages)
    if asked_back and exchanges:
        exchanges[-1] = replace(exchanges[-1], asked_back=True)
    return [exchange for exchange in exchanges if exchange.question.strip()]
