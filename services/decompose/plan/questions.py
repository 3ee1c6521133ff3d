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
    questions = _sentences(question) or _conjoined_questions(body_of(question))
    if len(questions) < 2:
        return None
    standalone: list[str] = []
    for text in questions:
        record = condenser.condense(text, HistoryWindow(tuple(Exchange(before) for before in standalone)))
        if record.decision is Decision.CLARIFY:
            return None
        standalone.append(tidy(record.standalone))
    return Split.side_by_side(standalone, f"it asks {len(standalone)} questions")


def _sentences(question: str) -> list[str]:
    """The sentences of a turn if there are several and all are questions, each split further; else empty."""
    sentences = [sentence.text for sentence in split_sentences(question)]
    if len(sentences) < 2 or not all(_asks(sentence) for sentence in sentences):
        return []
    return [part for sentence in sentences for part in (_conjoined_questions(body_of(sentence)) or [sentence])]


def _conjoined_questions(question: str) -> list[str]:
    """Split "when and where did it land" or "when did it launch and who built it"; empty for a single question."""
    if match := _TWO_WORDS.fullmatch(question):
        return [f"{match['one']} {match['rest']}", f"{match['other']} {match['rest']}"]
    if _INDIRECT.match(question):
        return []
    parts = _NEXT_QUESTION.split(question)
    return parts if len(parts) > 1 and all(_asks(part) for part in parts) else []


def _asks(text: str) -> bool:
    """Whether a text is a question with a verb and content words."""
    first: Sequence[str] = [token.text.lower() for token in tokenize(body_of(text))[:1]]
    is_question = bool(first) and (first[0] in WH_WORDS or first[0] in AUXILIARIES)
    return is_question and has_verb(text) and bool(content_words(text))
