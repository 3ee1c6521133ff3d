"""Fills in what a turn leaves out: by splicing, by resolving its anaphora, or by prepending the topic.

The confidences (.7 to .8) are chosen by hand. No I/O of its own.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from libs.language.topics.follow_ups import Splicing
from libs.language.topics.grammar import Grammar
from services.decompose.condense.anaphora import Anaphora, ReferenceKind, find_anaphora
from services.decompose.condense.content_words import stems_of
from services.decompose.condense.ellipsis import Ellipsis, Gap
from services.decompose.condense.reading import ConversationReading
from services.decompose.condense.replacing import replace_like
from services.decompose.condense.resolve_anaphora import ResolvedQuestion, resolve, resolve_action
from services.decompose.condense.splice import SplicedQuestion, ask_otherwise, splice, swap_names
from services.decompose.condense.topic import ConversationTopic, TopicCandidate
from services.decompose.plan.sentences import body_of
from services.decompose.words.phrases import Phrase, PhraseKind, find_phrases

REPLACED, PREPENDED = 0.85, 0.5
"""Confidence if a number, code or date replaced its like, and if the topic was only prepended (by hand)."""
_MAX_ANAPHORA = 3
"""Maximum anaphora resolved in one turn, all to the same antecedent (taste)."""


@dataclass(frozen=True, slots=True)
class CompletedQuestion:
    """A standalone question before it is tidied and checked."""

    text: str
    reason: str
    confidence: float
    antecedents: tuple[TopicCandidate, ...] = ()


def fill_ellipsis(ellipsis: Ellipsis, anaphora: Anaphora | None, reading: ConversationReading) -> CompletedQuestion:
    """Return a complete question for an elliptic turn."""
    fragment, topic, language = ellipsis.fragment, reading.topic, reading.language
    if ellipsis.gap is Gap.MORE:
        text = Splicing.of(language).more.format(name=topic.candidates[0].phrase.with_determiner)
        return CompletedQuestion(text, "more of the topic", 0.7, topic.candidates[:1])
    if ellipsis.gap is Gap.CHOICE and (choice := _between(fragment, reading)):
        return choice
    if ellipsis.gap is Gap.QUESTION_WORD:
        question = ask_otherwise(fragment, reading.frame, language)
        return (
            CompletedQuestion(question, "the previous question, asked otherwise", 0.75)
            if question
            else _prepend(fragment, topic)
        )
    if anaphora is not None and (inner := find_anaphora(fragment, language, reading.names)):
        return resolve_words(fragment, inner, reading)
    if ellipsis.gap is Gap.HYPOTHESIS:
        return _prepend(Splicing.of(language).hypothesis.format(fragment=fragment), topic)
    return _place(fragment, reading)


def resolve_words(turn: str, anaphora: Anaphora, reading: ConversationReading) -> CompletedQuestion:
    """Return the turn with its anaphora resolved to one antecedent; if none fits, with the topic prepended."""
    first = _resolve(turn, anaphora, reading.topic, reading)
    if first is None:
        return _prepend(turn, reading.topic)
    return CompletedQuestion(_resolve_rest(first, reading), first.reason, first.confidence, first.antecedents)


def _place(fragment: str, reading: ConversationReading) -> CompletedQuestion:
    """Complete a fragment: leave it, splice it into the previous question, or combine it with the topic."""
    language = reading.language
    if replaced := replace_like(fragment, reading.frame, language):
        return CompletedQuestion(body_of(replaced, language), "it replaces its like in the previous question", REPLACED)
    if _names_topic(fragment, reading.topic, reading.names):
        return CompletedQuestion(fragment, "it names its topic itself", 0.8)
    plain = _without_capital(fragment, reading.names, language)
    question = splice(plain, reading.frame, reading.domain, reading.names, language) or _into_earlier(plain, reading)
    if question:
        return CompletedQuestion(question.text, question.reason, question.confidence)
    name_phrases = [phrase for phrase in find_phrases(plain, language, reading.names) if phrase.kind.is_name]
    return (
        CompletedQuestion(plain, "it names what it is about", PREPENDED)
        if name_phrases
        else _prepend(plain, reading.topic)
    )


def _into_earlier(fragment: str, reading: ConversationReading) -> SplicedQuestion | None:
    """Swap a name into an earlier question; None if the previous question has a name or no earlier one fits."""
    language = reading.language
    if any(phrase.kind.is_name for phrase in find_phrases(reading.frame, language, reading.names)):
        return None
    earlier = reversed(reading.questions[:-1])
    candidates = (swap_names(fragment, question, reading.names, language) for question in earlier)
    return next((candidate for candidate in candidates if candidate), None)


def _without_capital(fragment: str, names: frozenset[str], language: str) -> str:
    """A fragment that no longer begins a sentence, in lower case ("Damaged items"); names keep their capital."""
    first = next(iter(find_phrases(fragment, language, names)), None)
    begins_plain = first is not None and first.start == 0 and first.kind is PhraseKind.THING
    return fragment[0].lower() + fragment[1:] if begins_plain else fragment


def _resolve(
    turn: str, anaphora: Anaphora, topic: ConversationTopic, reading: ConversationReading
) -> ResolvedQuestion | None:
    if anaphora.reference is ReferenceKind.ACTION:
        return resolve_action(turn, anaphora, reading.frame, reading.language)
    return resolve(turn, anaphora, topic, reading.domain)


def _resolve_rest(first: ResolvedQuestion, reading: ConversationReading) -> str:
    text, topic = first.text, reading.topic
    same = replace(topic, candidates=first.antecedents[:1] or topic.candidates)
    for _ in range(_MAX_ANAPHORA - 1):
        anaphora = find_anaphora(text, reading.language, reading.names)
        if anaphora is None or anaphora.reference is ReferenceKind.ONE:
            break
        resolution = _resolve(text, anaphora, same, reading)
        if resolution is None:
            break
        text = resolution.text
    return text


def _between(fragment: str, reading: ConversationReading) -> CompletedQuestion | None:
    """ "Which is larger", with two options named by the previous question or the conversation; None without two."""
    language = reading.language
    all_phrases = find_phrases(reading.frame, language, reading.names)
    phrases = [phrase for phrase in all_phrases if phrase.kind is not PhraseKind.DATE]
    name_phrases = [phrase for phrase in phrases if phrase.kind.is_name]
    things = name_phrases if len(name_phrases) > 1 else _coordinated_pair(reading.frame, phrases, language)
    pair = [phrase.with_determiner for phrase in things][:2]
    if len(pair) < 2:
        pair = [candidate.phrase.with_determiner for candidate in reading.topic.names[:2]]
    if len(pair) < 2:
        return None
    antecedents = tuple(
        c for c in reading.topic.candidates if c.phrase.with_determiner in pair or c.phrase.text in pair
    )
    text = Splicing.of(language).choice.format(fragment=fragment, first=pair[0], second=pair[1])
    return CompletedQuestion(text, f'between "{pair[0]}" and "{pair[1]}"', 0.7, antecedents)


def _coordinated_pair(frame: str, phrases: list[Phrase], language: str) -> list[Phrase]:
    """The first two phrases joined by a word such as "and", "or" or "versus"; empty if there are none."""
    joints = Splicing.of(language).pair_joints
    for first, second in pairwise(phrases):
        between = frame[first.end : second.start].lower().split()
        if between and between[0].strip(".,") in joints and len(between) <= 2:
            return [first, second]
    return []


def _names_topic(fragment: str, topic: ConversationTopic, names: frozenset[str]) -> bool:
    """Whether a fragment names something from the topic and says more about it: "the goal of Deep Impact"."""
    language = topic.language
    fragment_stems = stems_of(fragment, language)
    name_phrases = [phrase for phrase in find_phrases(fragment, language, names) if phrase.kind.is_name]
    name_stems = [stems_of(phrase.text, language) for phrase in name_phrases]
    topic_stems = [stems_of(candidate.phrase.text, language) for candidate in topic.names]
    return any(name < fragment_stems and any(name <= stems for stems in topic_stems) for name in name_stems)


def _prepend(fragment: str, topic: ConversationTopic) -> CompletedQuestion:
    best, grammar = topic.candidates[0], Grammar.of(topic.language)
    if stems_of(best.phrase.text, topic.language) <= stems_of(fragment, topic.language):
        return CompletedQuestion(fragment, "it names its topic itself", 0.7, (best,))
    first = fragment.split(" ", 1)[0].lower()
    bare = fragment.split(" ", 1)[-1] if first in grammar.articles else fragment
    text = f"{fragment} {best.phrase.with_determiner}" if first in grammar.wh_words else f"{best.phrase.text} {bare}"
    return CompletedQuestion(text, f'put beside the topic, "{best.phrase.text}"', PREPENDED, (best,))
