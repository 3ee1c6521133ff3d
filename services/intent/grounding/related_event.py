"""The named event that a question is about, with its date from history or probe (what a shallow search found).

A name counts as an event if its words say so (`Apollo 11 landing`, `Battle of Hastings`, `Hurricane Katrina`,
`the 2008 financial crisis`), or if history or probe call it one (`the Apollo 11 mission`).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from libs.chronology.named_events import dated
from libs.contracts.understanding import RelatedEvent
from libs.language.topics.names import NamedEvents
from libs.text.tokens import content_stems

_REACH: Final = 80
"""Characters before a name that are searched for a noun of events (taste)."""


def find_related_event(
    question: str, history: Sequence[str], probe_texts: Sequence[str], language: str
) -> RelatedEvent | None:
    """Return the event that a question names, or None.

    Args:
        question: the standalone question.
        history: the earlier messages, oldest first.
        probe_texts: texts of a probe, best first.
        language: of the question, ISO 639-1.
    """
    texts = (*reversed(history), *probe_texts)
    name = next(_event_names(question, texts, NamedEvents.of(language)), None)
    return dated(RelatedEvent(name), texts, language) if name else None


def told_event(name: str, texts: Sequence[str], language: str) -> RelatedEvent | None:
    """Return an event that a model named, dated from the texts; None if none of them has all its content words.

    Args:
        name: the name that the model gave.
        texts: question, history and probe, newest and best first.
        language: of the question, ISO 639-1.
    """
    stems = set(content_stems(name, language))
    is_told = bool(stems) and any(stems <= set(content_stems(text, language)) for text in texts)
    return dated(RelatedEvent(name), texts, language) if is_told else None


def _event_names(question: str, texts: Sequence[str], words: NamedEvents) -> Iterator[str]:
    """Yield the names of events, the surest kind first."""
    for pattern in (words.event, words.dated):
        if match := pattern.search(question):
            yield _without_leading(match["name"], words)
    for match in words.named.finditer(question):
        core = _without_leading(f"{match['name']} ", words).strip()
        leading = match["name"].removesuffix(core)
        acts = words.no_name_after.search(question, 0, match.start()) or words.acting.search(leading)
        if core and not core.isdigit() and not acts:
            yield question[match.end("name") - len(core) : match.end("kind")]
    numbered = (_without_leading(match[0], words) for match in words.numbered.finditer(question))
    yield from (name for name in numbered if _is_event_name(name, texts, words))


def _without_leading(name: str, words: NamedEvents) -> str:
    start = 0
    while match := words.leading.match(name, start):
        start = match.end()
    return name[start:]


def _is_event_name(name: str, texts: Sequence[str], words: NamedEvents) -> bool:
    """Whether a text calls it an event, or tells something of it that only events do."""
    pattern = re.compile(rf"\b{re.escape(name)}\b", re.I)
    return any(
        words.before_event.search(text, max(0, match.start() - _REACH), match.start())
        or words.after_event.match(text, match.end())
        for text in texts
        if name in text
        for match in pattern.finditer(text)
    )
