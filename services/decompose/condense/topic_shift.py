"""Judges whether a standalone turn continues the topic or shifts it. In both cases its words remain unchanged."""

from dataclasses import dataclass

from libs.language.topics.follow_ups import Dialogue
from services.decompose.condense.content_words import says_any, stems_of
from services.decompose.condense.reading import ConversationReading
from services.decompose.words.phrases import find_phrases

_FEW_WORDS = 2


@dataclass(frozen=True, slots=True)
class TopicShift:
    """Whether a turn shifts the topic, and why."""

    shifts: bool
    reason: str
    confidence: float


def judge_topic_shift(turn: str, reading: ConversationReading) -> TopicShift:
    """Judge whether a standalone turn shifts the topic.

    It does if it shares no word with the conversation and either announces another topic, or introduces a name while
    the topic has other names. Any less certain case continues the topic.
    """
    language = reading.language
    stems = stems_of(turn, language)
    if not stems or any(says_any(text, stems, language) for text in reading.window.texts()):
        return TopicShift(False, "it stands alone, within the topic" if stems else "it asks nothing of the topic", 0.9)
    if Dialogue.of(language).topic_shift.match(turn):
        return TopicShift(True, "it announces another topic, and shares no word with the conversation", 0.9)
    names = [phrase.text for phrase in find_phrases(turn, language, reading.names) if phrase.kind.is_name]
    if names and reading.topic.names:
        return TopicShift(True, f'it brings "{names[0]}", and shares no word with the conversation', 0.75)
    return TopicShift(False, "it stands alone", 0.85 if len(stems) > _FEW_WORDS else 0.7)
