"""The answer of a turn as far as it was shown, for a turn that is cancelled while it is written."""

from collections.abc import Iterable

from gateway.events.events import Event, Restarted
from libs.contracts.answers import Answer, Citation, TextDelta


def shown_answer(events: Iterable[Event]) -> Answer | None:
    """Return the sentences that a turn's events show, as checked so far; None if there are none."""
    sentences, citations = dict[int, str](), dict[int, Citation]()
    for content in (event.content for event in events):
        if isinstance(content, Restarted):
            sentences.clear()
            citations.clear()
        elif isinstance(content, TextDelta):
            sentences[content.sentence] = sentences.get(content.sentence, "") + content.delta
        elif isinstance(content, Citation):
            citations[content.sentence] = content
    checked = (_checked(text, citations.get(number)) for number, text in sentences.items())
    text = "".join(checked).strip()
    return Answer(text, tuple(citations.values())) if text else None


def _checked(text: str, citation: Citation | None) -> str:
    """Return a sentence, behind the space that separates it from the one before it, or what replaces it."""
    if citation is None or citation.replacement is None:
        return text
    gap = text[: len(text) - len(text.lstrip())]
    return f"{gap}{citation.replacement}" if citation.replacement else ""
