"""Whether a turn that stands alone goes on with the topic or changes it. Either way its words are left alone."""

from dataclasses import dataclass

import regex

from services.decompose.history import Window
from services.decompose.lexis import all_stems, stems_of
from services.decompose.phrases import find_phrases
from services.decompose.topic import Topic

_ANNOUNCED = regex.compile(
    r"^\W*(?:(?:ok|okay|thanks|thank you|great)\W+)?(?:by the way|btw|another question|different (?:question|topic)"
    r"|on another note|on a different (?:note|topic)|changing the (?:subject|topic)|new (?:question|topic)|unrelated"
    r"|moving on|(?:something|anything) else entirely|let(?:'|’)?s talk about)\b",
    regex.IGNORECASE,
)
_FEW_WORDS = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """How a turn stands by itself."""

    switches: bool
    reason: str
    confidence: float


def judge_standing(turn: str, window: Window, topic: Topic, names: frozenset[str]) -> Standing:
    """Whether a turn that leans on nothing changes the topic.

    It does when it says so and shares no word with the conversation, or when it brings a name of its own where other
    names were the topic and again no word is shared. Anything less certain goes on.
    """
    said = stems_of(turn)
    shared = said & all_stems(window.texts())
    if shared or not said:
        return Standing(False, "it stands alone, within the topic" if shared else "it asks nothing of the topic", 0.9)
    if _ANNOUNCED.search(turn):
        return Standing(True, "it announces another topic, and shares no word with the conversation", 0.9)
    brought = [phrase.text for phrase in find_phrases(turn, names) if phrase.kind.is_name]
    if brought and topic.names:
        return Standing(True, f'it brings "{brought[0]}", and shares no word with the conversation', 0.75)
    return Standing(False, "it stands alone", 0.85 if len(said) > _FEW_WORDS else 0.7)
