"""Fills in what a turn leaves out: by splicing, by resolving its anaphora, or by prepending the topic."""

from dataclasses import dataclass
from itertools import pairwise

from services.decompose.condense.anaphora import Anaphora, Reference, find_anaphora
from services.decompose.condense.content_words import stems_of
from services.decompose.condense.ellipsis import Ellipsis, Gap
from services.decompose.condense.reading import ConversationReading
from services.decompose.condense.resolve_anaphora import Resolved, resolve, resolve_action
from services.decompose.condense.splice import Spliced, ask_otherwise, splice, swap_names
from services.decompose.condense.topic import Candidate, Topic
from services.decompose.words.grammar import ARTICLES, WH_WORDS
from services.decompose.words.phrases import Kind, Phrase, find_phrases

PREPENDED = 0.5
"""Confidence if the topic was only prepended."""
_MOST_ANAPHORA = 3
"""Maximum anaphora resolved in one turn, all to the same antecedent."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A standalone question before it is tidied and checked."""

    text: str
    reason: str
    confidence: float
    antecedents: tuple[Candidate, ...] = ()


def fill_ellipsis(ellipsis: Ellipsis, anaphora: Anaphora | None, reading: ConversationReading) -> Filled:
    """Return a complete question for an elliptic turn."""
    fragment, topic = ellipsis.fragment, reading.topic
    if ellipsis.gap is Gap.MORE:
        return Filled(f"more about {topic.candidates[0].phrase.said}", "more of the topic", 0.7, topic.candidates[:1])
    if ellipsis.gap is Gap.CHOICE and (chosen := _between(fragment, reading)):
        return chosen
    if ellipsis.gap is Gap.QUESTION_WORD:
        asked = ask_otherwise(fragment, reading.frame)
        return Filled(asked, "the previous question, asked otherwise", 0.75) if asked else _prepend(fragment, topic)
    if anaphora is not None and (inner := find_anaphora(fragment, reading.names)):
        return resolve_words(fragment, inner, reading)
    return _prepend(f"if {fragment}", topic) if ellipsis.gap is Gap.HYPOTHESIS else _place(fragment, reading)


def resolve_words(turn: str, anaphora: Anaphora, reading: ConversationReading) -> Filled:
    """Return the turn with its anaphora resolved to one antecedent; if none fits, with the topic prepended."""
    first = _resolve(turn, anaphora, reading.topic, reading)
    if first is None:
        return _prepend(turn, reading.topic)
    return Filled(_resolve_rest(first, reading), first.reason, first.confidence, first.antecedents)


def _place(fragment: str, reading: ConversationReading) -> Filled:
    """Complete a fragment: leave it, splice it into the previous question, or combine it with the topic."""
    if _names_topic(fragment, reading.topic, reading.names):
        return Filled(fragment, "it names its topic itself", 0.8)
    plain = _without_capital(fragment, reading.names)
    spliced = splice(plain, reading.frame, reading.domain, reading.names) or _into_earlier(plain, reading)
    if spliced:
        return Filled(spliced.text, spliced.reason, spliced.confidence)
    named = [phrase for phrase in find_phrases(plain, reading.names) if phrase.kind.is_name]
    return Filled(plain, "it names what it is about", PREPENDED) if named else _prepend(plain, reading.topic)


def _into_earlier(fragment: str, reading: ConversationReading) -> Spliced | None:
    """Swap a name into an earlier question; None if the previous question has a name or no earlier one fits."""
    if any(phrase.kind.is_name for phrase in find_phrases(reading.frame, reading.names)):
        return None
    earlier = (swap_names(fragment, question, reading.names) for question in reversed(reading.questions[:-1]))
    return next((spliced for spliced in earlier if spliced), None)


def _without_capital(fragment: str, names: frozenset[str]) -> str:
    """A fragment that no longer begins a sentence, in lower case ("Damaged items"); names keep their capital."""
    first = next(iter(find_phrases(fragment, names)), None)
    begins_plain = first is not None and first.start == 0 and first.kind is Kind.THING
    return fragment[0].lower() + fragment[1:] if begins_plain else fragment


def _resolve(turn: str, anaphora: Anaphora, topic: Topic, reading: ConversationReading) -> Resolved | None:
    if anaphora.reference is Reference.ACTION:
        return resolve_action(turn, anaphora, reading.frame)
    return resolve(turn, anaphora, topic, reading.domain)


def _resolve_rest(first: Resolved, reading: ConversationReading) -> str:
    text, topic = first.text, reading.topic
    same = Topic(first.antecedents[:1] or topic.candidates, topic.texts)
    for _ in range(_MOST_ANAPHORA - 1):
        following = find_anaphora(text, reading.names)
        if following is None or following.reference is Reference.ONE:
            break
        resolved = _resolve(text, following, same, reading)
        if resolved is None:
            break
        text = resolved.text
    return text


def _between(fragment: str, reading: ConversationReading) -> Filled | None:
    """ "Which is larger", with two options named by the previous question or the conversation; None without two."""
    phrases = [phrase for phrase in find_phrases(reading.frame, reading.names) if phrase.kind is not Kind.DATE]
    named = [phrase for phrase in phrases if phrase.kind.is_name]
    pair = [phrase.said for phrase in (named if len(named) > 1 else _joined(reading.frame, phrases))][:2]
    if len(pair) < 2:
        pair = [candidate.phrase.said for candidate in reading.topic.names[:2]]
    if len(pair) < 2:
        return None
    antecedents = tuple(c for c in reading.topic.candidates if c.phrase.said in pair or c.phrase.text in pair)
    return Filled(f"{fragment}, {pair[0]} or {pair[1]}", f'between "{pair[0]}" and "{pair[1]}"', 0.7, antecedents)


def _joined(frame: str, phrases: list[Phrase]) -> list[Phrase]:
    """The first two phrases joined by a word such as "and", "or" or "versus"; empty if there are none."""
    for one, other in pairwise(phrases):
        between = frame[one.end : other.start].lower().split()
        if between and between[0].strip(".,") in {"and", "or", "vs", "versus", "from", "with"} and len(between) <= 2:
            return [one, other]
    return []


def _names_topic(fragment: str, topic: Topic, names: frozenset[str]) -> bool:
    """Whether a fragment names something from the topic and says more about it: "the goal of Deep Impact"."""
    said = stems_of(fragment)
    named = [stems_of(phrase.text) for phrase in find_phrases(fragment, names) if phrase.kind.is_name]
    spoken_of = [stems_of(candidate.phrase.text) for candidate in topic.names]
    return any(name < said and any(name <= known for known in spoken_of) for name in named)


def _prepend(fragment: str, topic: Topic) -> Filled:
    best = topic.candidates[0]
    if stems_of(best.phrase.text) <= stems_of(fragment):
        return Filled(fragment, "it names its topic itself", 0.7, (best,))
    first = fragment.split(" ", 1)[0].lower()
    bare = fragment.split(" ", 1)[-1] if first in ARTICLES else fragment
    text = f"{fragment} {best.phrase.said}" if first in WH_WORDS else f"{best.phrase.text} {bare}"
    return Filled(text, f'put beside the topic, "{best.phrase.text}"', PREPENDED, (best,))
