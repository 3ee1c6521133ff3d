"""Replaces a pronoun, a demonstrative or a bare definite with a name or noun phrase."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from services.decompose.condense.anaphora import Anaphora, ReferenceKind
from services.decompose.condense.anaphora_of_one import Pointer
from services.decompose.condense.ellipsis import body_of, has_verb
from services.decompose.condense.resolve_anaphora_of_one import meaning_of
from services.decompose.condense.topic import Topic, TopicCandidate
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import PERSON_TITLES, POSSESSIVE_PRONOUNS, PREPOSITIONS
from services.decompose.words.phrases import PhraseKind, find_phrases

_AS_THEY: Mapping[PhraseKind, float] = {
    PhraseKind.NAME: 0.6,
    PhraseKind.NUMBERED: 0.3,
    PhraseKind.THING: 0.15,
    PhraseKind.PLACE: 0.1,
    PhraseKind.DATE: 0.0,
}
_AS_IT: Mapping[PhraseKind, float] = {PhraseKind.PLACE: 0.7}
"""How well a singular candidate of each kind fits "they" and "it"."""
_YEAR = regex.compile(r"\b\d{4}\b")
_TIMES = frozenset(("year", "day", "time", "date", "month", "moment"))
_ACTION = regex.compile(
    r"(?:\w+\s+){0,3}?(?:do|does|did|can|could|should|would|may|must|will)\s+(?:i|you|we|they|he|she|it|one)\s+(?P<action>.+)",
    regex.IGNORECASE,
)
RIVAL = 0.6
"""A candidate with at least this share of the best score is a rival: it is reported, and the confidence falls."""
CLEAR, RIVALLED, WEAK = 0.85, 0.5, 0.6


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question with an anaphora replaced, and its possible antecedents, likeliest first."""

    text: str
    antecedents: tuple[TopicCandidate, ...]
    reason: str
    confidence: float


def resolve(turn: str, anaphora: Anaphora, topic: Topic, domain: Domain) -> ResolvedQuestion | None:
    """Replace one anaphora. Returns None if no antecedent fits."""
    if anaphora.reference is ReferenceKind.ONE:
        return _resolve_one(turn, anaphora, topic, domain)
    if anaphora.reference is ReferenceKind.DEMONSTRATIVE and (
        resolution := _resolve_repeated_noun(turn, anaphora, topic)
    ):
        return resolution
    if anaphora.reference is ReferenceKind.DEMONSTRATIVE and not is_among(anaphora.noun, domain.classes):
        return None
    antecedents = find_antecedents(anaphora, topic)
    if not antecedents:
        return None
    best = antecedents[0]
    text = _insert(turn, anaphora, antecedents)
    has_rivals = len(antecedents) > 1 and anaphora.reference is not ReferenceKind.TWO
    confidence = RIVALLED if has_rivals else CLEAR if anaphora.is_pronoun else WEAK
    return ResolvedQuestion(text, antecedents, _reason(anaphora, best.phrase.text, antecedents[1:]), confidence)


def _resolve_one(turn: str, anaphora: Anaphora, topic: Topic, domain: Domain) -> ResolvedQuestion | None:
    """ "The old one": a member of a class, or one of several named things."""
    referent = meaning_of(Pointer(anaphora.text, anaphora.start, anaphora.end), topic, domain)
    if referent is None:
        return None
    has_rivals = len(referent.antecedents) > 1
    name = referent.antecedents[0].phrase.text if has_rivals else referent.words
    reason = _reason(anaphora, name, referent.antecedents[1:])
    return ResolvedQuestion(
        _replace_anaphora(turn, anaphora, referent.words), referent.antecedents, reason, referent.confidence
    )


def _reason(anaphora: Anaphora, antecedent: str, rivals: Sequence[TopicCandidate]) -> str:
    alternatives = "".join(f' (or "{rival.phrase.text}")' for rival in rivals)
    return f'"{anaphora.text}" stands for "{antecedent}"{alternatives}'


def resolve_action(turn: str, anaphora: Anaphora, frame: str) -> ResolvedQuestion | None:
    """ "Do that" after "How do I file a claim?" is "file a claim"; None if the previous question names no action."""
    match = _ACTION.match(body_of(frame))
    if match is None:
        return None
    text = _replace_anaphora(turn, anaphora, match["action"])
    return ResolvedQuestion(text, (), f'"{anaphora.text}" is "{match["action"]}"', 0.75)


def find_antecedents(anaphora: Anaphora, topic: Topic) -> tuple[TopicCandidate, ...]:
    """Return the best candidate by number and kind, and its rivals; three at most, empty if none fits."""
    if anaphora.reference is ReferenceKind.TWO:
        return _pair(topic)
    scores = [(_fit(anaphora, candidate) * candidate.salience, candidate) for candidate in topic.candidates]
    best = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])[:3]
    return tuple(candidate for score, candidate in best if score >= RIVAL * best[0][0])


def _fit(anaphora: Anaphora, candidate: TopicCandidate) -> float:
    """How well a candidate fits an anaphora; 0 if it does not."""
    phrase = candidate.phrase
    if phrase.kind is PhraseKind.DATE:
        return 0.0
    plural = (
        phrase.kind is PhraseKind.THING and phrase.head.endswith("s") and not phrase.head.endswith(("ss", "us", "is"))
    )
    if anaphora.reference is ReferenceKind.PERSON:
        return _fit_of_person(candidate)
    if anaphora.reference is ReferenceKind.PLACE:
        return (
            1.0 if phrase.kind is PhraseKind.PLACE else 0.5 if phrase.preposition in {"in", "at", "on", "to"} else 0.0
        )
    if anaphora.reference is ReferenceKind.THEY:
        return 1.0 if plural else _AS_THEY[phrase.kind]
    if anaphora.reference is ReferenceKind.IT:
        return 0.35 if plural or candidate.is_person else _AS_IT.get(phrase.kind, 1.0)
    return float(phrase.kind.is_name)


def _fit_of_person(candidate: TopicCandidate) -> float:
    phrase = candidate.phrase
    if candidate.is_person:
        return 1.5
    if phrase.kind is PhraseKind.NAME:
        return 1.0 if len(phrase.text.split()) in {2, 3} else 0.7
    bare = not phrase.determiner and " " in phrase.text and candidate.by_user  # possibly a name in lower case
    return 0.8 if phrase.kind is PhraseKind.THING and (bare or phrase.head in PERSON_TITLES) else 0.0


def _pair(topic: Topic) -> tuple[TopicCandidate, ...]:
    """ "The two": the two most salient names, or else things that a user mentioned; empty if there are fewer."""
    things = [c for c in topic.candidates if c.by_user and c.phrase.kind is PhraseKind.THING]
    pair = topic.names if len(topic.names) > 1 else things
    return tuple(sorted(pair[:2], key=lambda c: (c.turn, c.phrase.start))) if len(pair) > 1 else ()


def _resolve_repeated_noun(turn: str, anaphora: Anaphora, topic: Topic) -> ResolvedQuestion | None:
    """ "That refund" after refunds were mentioned is "the refund"; "that mission" may be "the Viking 1 mission"."""
    noun = anaphora.noun.split()[-1]
    if noun in _TIMES:
        return _resolve_date(turn, anaphora, topic)
    for candidate in topic.names:
        if candidate.phrase.tail.lower() == noun:
            text = _replace_anaphora(turn, anaphora, f"the {candidate.phrase.text} {anaphora.noun}")
            return ResolvedQuestion(
                text, (candidate,), f'"{anaphora.text}" is the one of "{candidate.phrase.text}"', CLEAR
            )
    if not topic.mentions(noun):
        return None
    holder = next((c for c in topic.candidates if noun in c.phrase.text.lower().split()), None)
    text = _replace_anaphora(turn, anaphora, f"the {anaphora.text.split(' ', 1)[1]}")
    return ResolvedQuestion(text, (holder,) if holder else (), f'"{anaphora.text}" was spoken of before', 0.8)


def _resolve_date(turn: str, anaphora: Anaphora, topic: Topic) -> ResolvedQuestion | None:
    """ "That year" is the year of the date mentioned last."""
    dates = [candidate for candidate in topic.candidates if candidate.phrase.kind is PhraseKind.DATE]
    if not dates:
        return None
    date = max(dates, key=lambda candidate: candidate.turn)
    year = _YEAR.search(date.phrase.text)
    date_text = year[0] if year and anaphora.noun == "year" else date.phrase.text
    word_before = turn[: anaphora.start].lower().split()[-1:]
    preposition = "" if word_before and word_before[0] in PREPOSITIONS else "in " if date_text.isdigit() else "on "
    text = _replace_anaphora(turn, anaphora, preposition + date_text)
    return ResolvedQuestion(text, (date,), f'"{anaphora.text}" is {date_text}', WEAK)


def _insert(turn: str, anaphora: Anaphora, antecedents: Sequence[TopicCandidate]) -> str:
    """The turn with the likeliest antecedent inserted, or with both for "the two"."""
    if anaphora.reference is ReferenceKind.TWO:
        return _replace_anaphora(
            turn, anaphora, " and ".join(candidate.phrase.with_determiner for candidate in antecedents)
        )
    return _insert_one(turn, anaphora, antecedents[0])


def _insert_one(turn: str, anaphora: Anaphora, candidate: TopicCandidate) -> str:
    phrase, word = candidate.phrase, anaphora.text.lower().replace("’", "'")
    if anaphora.reference in {ReferenceKind.CLASS, ReferenceKind.DEMONSTRATIVE}:
        bare = turn[anaphora.start : anaphora.end].split(" ", 1)[-1] if anaphora.noun != word else anaphora.text
        return _with_class(turn, anaphora, phrase.text, bare)
    if anaphora.reference is ReferenceKind.RELATION:
        return turn[: anaphora.end] + f" of {phrase.with_determiner}" + turn[anaphora.end :]
    if anaphora.reference is ReferenceKind.PLACE:
        preposition = phrase.preposition if phrase.preposition in {"in", "on", "at"} else "in"
        return _replace_anaphora(turn, anaphora, f"{preposition} {phrase.with_determiner}")
    if _is_possessive(turn, anaphora):
        return _replace_anaphora(turn, anaphora, f"{phrase.with_determiner}'s" if has_verb(turn) else phrase.text)
    contracted = {"'s": " is", "'re": " are", "'ll": " will", "'d": " would", "'ve": " have"}
    ending = next((full for short, full in contracted.items() if word.endswith(short)), "")
    return _replace_anaphora(turn, anaphora, phrase.with_determiner + ending)


def _with_class(turn: str, anaphora: Anaphora, name: str, noun: str) -> str:
    """ "The mission" becomes "the Viking 1 mission", "that mission" likewise."""
    if anaphora.reference is ReferenceKind.CLASS:
        return turn[: anaphora.start] + f"{name} {turn[anaphora.start :]}"
    return _replace_anaphora(turn, anaphora, f"the {name} {noun}")


def _is_possessive(turn: str, anaphora: Anaphora) -> bool:
    word = anaphora.text.lower()
    if word not in POSSESSIVE_PRONOUNS:
        return False
    following = turn[anaphora.end :].lstrip()
    if word != "her":
        return bool(following) and following[0].isalnum()
    start = len(turn) - len(following)
    return any(phrase.start == start for phrase in find_phrases(turn))


def _replace_anaphora(turn: str, anaphora: Anaphora, new: str) -> str:
    return turn[: anaphora.start] + new + turn[anaphora.end :]
