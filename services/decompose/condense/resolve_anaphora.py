"""Replaces a pronoun, a demonstrative or a bare definite with a name or noun phrase."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from services.decompose.condense.anaphora import Anaphora, Reference
from services.decompose.condense.anaphora_of_one import Pointer
from services.decompose.condense.ellipsis import body_of, has_verb
from services.decompose.condense.resolve_anaphora_of_one import meaning_of
from services.decompose.condense.topic import Candidate, Topic
from services.decompose.words.domain import Domain, is_among
from services.decompose.words.grammar import PERSON_TITLES, POSSESSIVE_PRONOUNS, PREPOSITIONS
from services.decompose.words.phrases import Kind, find_phrases

_AS_THEY: Mapping[Kind, float] = {Kind.NAME: 0.6, Kind.NUMBERED: 0.3, Kind.THING: 0.15, Kind.PLACE: 0.1, Kind.DATE: 0.0}
_AS_IT: Mapping[Kind, float] = {Kind.PLACE: 0.7}
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
class Resolved:
    """A question with an anaphora replaced, and its possible antecedents, likeliest first."""

    text: str
    antecedents: tuple[Candidate, ...]
    reason: str
    confidence: float


def resolve(turn: str, anaphora: Anaphora, topic: Topic, domain: Domain) -> Resolved | None:
    """Replace one anaphora. Returns None if no antecedent fits."""
    if anaphora.reference is Reference.ONE:
        return _resolve_one(turn, anaphora, topic, domain)
    if anaphora.reference is Reference.DEMONSTRATIVE and (said := _said_before(turn, anaphora, topic)):
        return said
    if anaphora.reference is Reference.DEMONSTRATIVE and not is_among(anaphora.noun, domain.classes):
        return None
    antecedents = find_antecedents(anaphora, topic)
    if not antecedents:
        return None
    best = antecedents[0]
    text = _put(turn, anaphora, antecedents)
    rivalled = len(antecedents) > 1 and anaphora.reference is not Reference.TWO
    confidence = RIVALLED if rivalled else CLEAR if anaphora.is_pronoun else WEAK
    return Resolved(text, antecedents, _stands_for(anaphora, best.phrase.text, antecedents[1:]), confidence)


def _resolve_one(turn: str, anaphora: Anaphora, topic: Topic, domain: Domain) -> Resolved | None:
    """ "The old one": a member of a class, or one of several named things."""
    meant = meaning_of(Pointer(anaphora.text, anaphora.start, anaphora.end), topic, domain)
    if meant is None:
        return None
    several = len(meant.antecedents) > 1
    told = meant.antecedents[0].phrase.text if several else meant.words
    reason = _stands_for(anaphora, told, meant.antecedents[1:])
    return Resolved(_replaced(turn, anaphora, meant.words), meant.antecedents, reason, meant.confidence)


def _stands_for(anaphora: Anaphora, meant: str, rivals: Sequence[Candidate]) -> str:
    others = "".join(f' (or "{rival.phrase.text}")' for rival in rivals)
    return f'"{anaphora.text}" stands for "{meant}"{others}'


def resolve_action(turn: str, anaphora: Anaphora, frame: str) -> Resolved | None:
    """ "Do that" after "How do I file a claim?" is "file a claim"; None if the previous question names no action."""
    done = _ACTION.match(body_of(frame))
    if done is None:
        return None
    text = _replaced(turn, anaphora, done["action"])
    return Resolved(text, (), f'"{anaphora.text}" is "{done["action"]}"', 0.75)


def find_antecedents(anaphora: Anaphora, topic: Topic) -> tuple[Candidate, ...]:
    """Return the best candidate by number and kind, and its rivals; three at most, empty if none fits."""
    if anaphora.reference is Reference.TWO:
        return _pair(topic)
    scored = [(_fit(anaphora, candidate) * candidate.salience, candidate) for candidate in topic.candidates]
    ranked = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:3]
    return tuple(candidate for score, candidate in ranked if score >= RIVAL * ranked[0][0])


def _fit(anaphora: Anaphora, candidate: Candidate) -> float:
    """How well a candidate fits an anaphora; 0 if it does not."""
    phrase = candidate.phrase
    if phrase.kind is Kind.DATE:
        return 0.0
    plural = phrase.kind is Kind.THING and phrase.head.endswith("s") and not phrase.head.endswith(("ss", "us", "is"))
    if anaphora.reference is Reference.PERSON:
        return _fit_of_person(candidate)
    if anaphora.reference is Reference.PLACE:
        return 1.0 if phrase.kind is Kind.PLACE else 0.5 if phrase.preposition in {"in", "at", "on", "to"} else 0.0
    if anaphora.reference is Reference.THEY:
        return 1.0 if plural else _AS_THEY[phrase.kind]
    if anaphora.reference is Reference.IT:
        return 0.35 if plural or candidate.is_person else _AS_IT.get(phrase.kind, 1.0)
    return float(phrase.kind.is_name)


def _fit_of_person(candidate: Candidate) -> float:
    phrase = candidate.phrase
    if candidate.is_person:
        return 1.5
    if phrase.kind is Kind.NAME:
        return 1.0 if len(phrase.text.split()) in {2, 3} else 0.7
    bare = not phrase.determiner and " " in phrase.text and candidate.by_user  # possibly a name in lower case
    return 0.8 if phrase.kind is Kind.THING and (bare or phrase.head in PERSON_TITLES) else 0.0


def _pair(topic: Topic) -> tuple[Candidate, ...]:
    """ "The two": the two most salient names, or else things that a user mentioned; empty if there are fewer."""
    things = [c for c in topic.candidates if c.by_user and c.phrase.kind is Kind.THING]
    pair = topic.names if len(topic.names) > 1 else things
    return tuple(sorted(pair[:2], key=lambda c: (c.turn, c.phrase.start))) if len(pair) > 1 else ()


def _said_before(turn: str, anaphora: Anaphora, topic: Topic) -> Resolved | None:
    """ "That refund" after refunds were mentioned is "the refund"; "that mission" may be "the Viking 1 mission"."""
    noun = anaphora.noun.split()[-1]
    if noun in _TIMES:
        return _at_that_time(turn, anaphora, topic)
    for candidate in topic.names:
        if candidate.phrase.tail.lower() == noun:
            text = _replaced(turn, anaphora, f"the {candidate.phrase.text} {anaphora.noun}")
            return Resolved(text, (candidate,), f'"{anaphora.text}" is the one of "{candidate.phrase.text}"', CLEAR)
    if not topic.mentions(noun):
        return None
    holder = next((c for c in topic.candidates if noun in c.phrase.text.lower().split()), None)
    text = _replaced(turn, anaphora, f"the {anaphora.text.split(' ', 1)[1]}")
    return Resolved(text, (holder,) if holder else (), f'"{anaphora.text}" was spoken of before', 0.8)


def _at_that_time(turn: str, anaphora: Anaphora, topic: Topic) -> Resolved | None:
    """ "That year" is the year of the date mentioned last."""
    dates = [candidate for candidate in topic.candidates if candidate.phrase.kind is Kind.DATE]
    if not dates:
        return None
    date = max(dates, key=lambda candidate: candidate.turn)
    year = _YEAR.search(date.phrase.text)
    told = year[0] if year and anaphora.noun == "year" else date.phrase.text
    word_before = turn[: anaphora.start].lower().split()[-1:]
    preposition = "" if word_before and word_before[0] in PREPOSITIONS else "in " if told.isdigit() else "on "
    text = _replaced(turn, anaphora, preposition + told)
    return Resolved(text, (date,), f'"{anaphora.text}" is {told}', WEAK)


def _put(turn: str, anaphora: Anaphora, antecedents: Sequence[Candidate]) -> str:
    """The turn with the likeliest antecedent inserted, or with both for "the two"."""
    if anaphora.reference is Reference.TWO:
        return _replaced(turn, anaphora, " and ".join(candidate.phrase.said for candidate in antecedents))
    return _put_one(turn, anaphora, antecedents[0])


def _put_one(turn: str, anaphora: Anaphora, candidate: Candidate) -> str:
    phrase, word = candidate.phrase, anaphora.text.lower().replace("’", "'")
    if anaphora.reference in {Reference.CLASS, Reference.DEMONSTRATIVE}:
        bare = turn[anaphora.start : anaphora.end].split(" ", 1)[-1] if anaphora.noun != word else anaphora.text
        return _with_class(turn, anaphora, phrase.text, bare)
    if anaphora.reference is Reference.RELATION:
        return turn[: anaphora.end] + f" of {phrase.said}" + turn[anaphora.end :]
    if anaphora.reference is Reference.PLACE:
        preposition = phrase.preposition if phrase.preposition in {"in", "on", "at"} else "in"
        return _replaced(turn, anaphora, f"{preposition} {phrase.said}")
    if _is_possessive(turn, anaphora):
        return _replaced(turn, anaphora, f"{phrase.said}'s" if has_verb(turn) else phrase.text)
    contracted = {"'s": " is", "'re": " are", "'ll": " will", "'d": " would", "'ve": " have"}
    ending = next((full for short, full in contracted.items() if word.endswith(short)), "")
    return _replaced(turn, anaphora, phrase.said + ending)


def _with_class(turn: str, anaphora: Anaphora, name: str, noun: str) -> str:
    """ "The mission" becomes "the Viking 1 mission", "that mission" likewise."""
    if anaphora.reference is Reference.CLASS:
        return turn[: anaphora.start] + f"{name} {turn[anaphora.start :]}"
    return _replaced(turn, anaphora, f"the {name} {noun}")


def _is_possessive(turn: str, anaphora: Anaphora) -> bool:
    word = anaphora.text.lower()
    if word not in POSSESSIVE_PRONOUNS:
        return False
    following = turn[anaphora.end :].lstrip()
    if word != "her":
        return bool(following) and following[0].isalnum()
    start = len(turn) - len(following)
    return any(phrase.start == start for phrase in find_phrases(turn))


def _replaced(turn: str, anaphora: Anaphora, new: str) -> str:
    return turn[: anaphora.start] + new + turn[anaphora.end :]
