"""Splits several questions in one turn, carrying the subject over: "When did Viking 1 launch and who built it?"."""

from collections.abc import Sequence

import regex

from libs.contracts.query import Decision
from libs.text.sentences import split_sentences
from libs.text.tokens import content_words, tokenize
from services.decompose.condense.ellipsis import body_of, has_verb
from services.decompose.condense.ladder import Condenser
from services.decompose.condense.tidy import tidy
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.parts import Split
from services.decompose.words.grammar import AUXILIARIES, WH_WORDS

_WH = r"(?:when|where|who|what|which|why|how)"
_AUX = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)"
_TWO_WORDS = regex.compile(rf"(?P<one>{_WH})\s+and\s+(?P<other>{_WH})\s+(?P<rest>{_AUX}\s.+)", regex.IGNORECASE)
_INDIRECT = regex.compile(rf"{_AUX}\s.*?\b{_WH}\b", regex.IGNORECASE)
"""An indirect question such as "can you tell me when": the joined clause may not be a question."""
_ASKING = rf"(?:how\s+(?:\w+\s+){{1,3}}?|(?:what|which)\s+(?:\w+\s+){{1,2}}?|{_WH}\s+){_AUX}\b"
_PAST = r"(?:\w+ed|built|won|made|wrote|led|found)\b"
_NEXT_QUESTION = regex.compile(
    rf",?\s+(?:and|&)\s+(?:also\s+)?(?=(?:{_ASKING}|{_WH}\s+{_PAST}|(?:is|are|was|were|do|does|did)\s))",
    regex.IGNORECASE,
)


def split_questions(question: str, condenser: Condenser) -> Split | None:
    """Return the questions of a turn, each condensed with those before it; None for a single question."""
    asked = _sentences(question) or _joined(body_of(question))
    if len(asked) < 2:
        return None
    standing: list[str] = []
    for text in asked:
        record = condenser.condense(text, HistoryWindow(tuple(Exchange(before) for before in standing)))
        if record.decision is Decision.CLARIFY:
            return None
        standing.append(tidy(record.standalone))
    return Split.side_by_side(standing, f"it asks {len(standing)} questions")


def _sentences(question: str) -> list[str]:
    """The sentences of a turn if there are several and all are questions, each split further; else empty."""
    sentences = [sentence.text for sentence in split_sentences(question)]
    if len(sentences) < 2 or not all(_asks(sentence) for sentence in sentences):
        return []
    return [part for sentence in sentences for part in (_joined(body_of(sentence)) or [sentence])]


def _joined(question: str) -> list[str]:
    """Split "when and where did it land" or "when did it launch and who built it"; empty for a single question."""
    if two := _TWO_WORDS.fullmatch(question):
        return [f"{two['one']} {two['rest']}", f"{two['other']} {two['rest']}"]
    if _INDIRECT.match(question):
        return []
    parts = _NEXT_QUESTION.split(question)
    return parts if len(parts) > 1 and all(_asks(part) for part in parts) else []


def _asks(text: str) -> bool:
    """Whether a text is a question with a verb and content words."""
    first: Sequence[str] = [token.text.lower() for token in tokenize(body_of(text))[:1]]
    begins = bool(first) and (first[0] in WH_WORDS or first[0] in AUXILIARIES)
    return begins and has_verb(text) and bool(content_words(text))
