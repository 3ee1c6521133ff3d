"""Every public function of the domain that reads a text: found by its signature."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, Final

from libs.contracts.conversation import ConversationView, TurnReading
from libs.contracts.evidence import Evidence, Passage, Reference
from libs.contracts.spans import Span
from libs.contracts.stages.answer import VerifyRequest
from libs.language.turns.reader import read_turn, with_readings
from libs.text.limits import MAX_QUESTION, MAX_SENTENCE
from services.answer.quoting.units import read_units
from services.answer.verification.verify import verify
from services.decompose.condense.condenser import condense_by_reading
from services.decompose.history import Exchange, HistoryWindow
from services.decompose.plan.split import Splitter
from services.decompose.words.domain import load_domain
from tests.fakes.conversations import view_of

PACKAGES: Final = (
    "libs.text",
    "libs.language",
    "libs.chronology",
    "libs.documents",
    "services.answer",
    "services.decompose",
    "services.intent",
    "services.retrieve",
    "services.timeline",
)
LONGEST: Final = {
    "text": 1 << 20,
    "content": 1 << 20,
    "answer": 1 << 20,
    "question": MAX_QUESTION,
    "turn": MAX_QUESTION,
    "sentence": MAX_SENTENCE,
}
"""Characters that a function's first parameter has at most, by its name."""
LONGEST_TURN: Final = 8192
"""Characters of a question and of a sentence that is verified, by the contract."""
MAX_PASSAGE: Final = 16_384
"""Characters; passages are a few hundred long by default."""
NOT_OF_USERS: Final = frozenset({"services.retrieve.corpus.structures.blocks_from"})
"""Functions whose text is one that the suite wrote itself."""
PROSE: Final = "Phoenix landed near the north pole of Mars on 25 May 2008 and dug for water ice."
ARGUMENTS: Final = {"language": "en", "now": datetime(2024, 5, 1, tzinfo=UTC), "target": "de"}
"""What the other parameters are given."""

Reader = Callable[[str], Any]


def readers() -> Iterator[tuple[str, int, Reader]]:
    """Name, longest text and call of each function whose first parameter is a text and the others have a value here."""
    for package in PACKAGES:
        for module in _modules(importlib.import_module(package)):
            for name, function in inspect.getmembers(module, callable):
                reader = _reader(module, name, function)
                if reader is not None and f"{module.__name__}.{name}" not in NOT_OF_USERS:
                    yield f"{module.__name__}.{name}", *reader


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for information in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not information.name.endswith("__main__"):
            yield importlib.import_module(information.name)


def _reader(module: ModuleType, name: str, function: Any) -> tuple[int, Reader] | None:
    if name.startswith("_") or getattr(function, "__module__", "") != module.__name__ or inspect.isclass(function):
        return None
    first, *others = inspect.signature(function).parameters.values() or (None,)
    if first is None or first.name not in LONGEST or first.annotation is not str:
        return None
    needed = [other.name for other in others if other.default is inspect.Parameter.empty]
    if not ARGUMENTS.keys() >= set(needed):
        return None
    arguments = {other: ARGUMENTS[other] for other in needed}
    return LONGEST[first.name], lambda text: _consumed(function(text, **arguments))


def _consumed(result: Any) -> Any:
    return list(result) if isinstance(result, Iterator) else result


def composites() -> Iterator[tuple[str, int, Reader]]:
    """What the stages run of them: name, longest text and call."""
    splitter = Splitter(load_domain(language="en"))
    answered = Exchange("When did Phoenix land on Mars?", "Phoenix landed on Mars on 25 May 2008.")
    window, english = HistoryWindow((answered,)), TurnReading("en")
    yield "condense", LONGEST_TURN, lambda turn: condense_by_reading(turn, window, english)
    yield "condense after it", LONGEST_TURN, lambda text: condense_by_reading("in May?", _asked(text), english)
    yield "read a turn", LONGEST_TURN, lambda turn: read_turn(turn, _after(answered.answer, "A", "B"))
    yield "read a turn after it", LONGEST_TURN, lambda text: read_turn("the second one", _after(text))
    yield "plan", LONGEST_TURN, lambda question: splitter.plan(question, None, "en")
    yield "verify a sentence", LONGEST_TURN, lambda text: verify(VerifyRequest((text,), (_passage(PROSE),)))
    yield "verify against it", MAX_PASSAGE, lambda text: verify(VerifyRequest((PROSE,), (_passage(text),)))
    yield "verify nearly a quote", LONGEST_TURN, lambda text: verify(VerifyRequest((f"{text} so",), (_passage(text),)))
    yield "read the units", MAX_PASSAGE, lambda text: read_units(Reference(1, Evidence(_passage(text))))


def _after(answer: str, *offered: str) -> ConversationView:
    return with_readings(view_of("What is known?", answer, offered_choices=offered))


def _asked(question: str) -> HistoryWindow:
    return HistoryWindow((Exchange(question),))


def _passage(text: str) -> Passage:
    return Passage("doc#0", "doc", text, span=Span(0, len(text)))
