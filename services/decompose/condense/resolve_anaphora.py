"""Replaces a pronoun, a demonstrative or a bare definite with a name or noun phrase.

A candidate's score is its fit times its salience; a fit is 1 for the kind that an anaphora stands for first of all.
All fits and confidences here, and three candidates at most, are chosen by hand. No I/O of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import regex

from libs.language.topics.anaphora import AnaphoraForms
from libs.language.topics.follow_ups import Splicing
from libs.language.topics.grammar import Grammar, Inflection, NounPhrases
from services.decompose.condense.anaphora import Anaphora, ReferenceKind
from services.decompose.condense.anaphora_of_one import Pointer
from services.decompose.condense.resolve_anaphora_of_one import meaning_of
from services.decompose.condense.topic import ConversationTopic, TopicCandidate
from services.decompose.plan.sentences import body_of, has_verb
from services.decompose.words.domain import Domain, is_among, is_plural
from services.decompose.words.phrases import PhraseKind, find_phrases

_AS_THEY: Mapping[PhraseKind, float] = {
    PhraseKind.NAME: 0.6,
    PhraseKind.NUMBERED: 0.3,
    PhraseKind.THING: 0.15,
    PhraseKind.PLACE: 0.1,
    PhraseKind.DATE: 0.0,
}
_AS_IT: Mapping[PhraseKind, float] = {PhraseKind.PLACE: 0.7}
"""Fits of a singular candidate to "they" and "it"; 1 for other kinds. NUMBERED is such as "Apollo 11"."""
_YEAR = regex.compile(r"\b\d{4}\b")
RIVAL = 0.6
"""A candidate with at least this share of the best score is a rival: it is reported, and the confidence falls."""
CLEAR, RIVALLED, WEAK = 0.85, 0.5, 0.6
"""Confidence of a pronoun with one candidate, with rivals, of another anaphora with one candidate, of dates."""
REPEATED, ACTION = 0.8, 0.75
"""Confidence of a noun that was said before, and of "do that". Below .8 the intent stage may ask back."""
KNOWN_PERSON = 1.5
"""Fit of somebody known to be a person: above that of a mere name, which has mostly two or three words."""


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question with an anaphora replaced, and its possible antecedents, likeliest first."""

    text: str
    antecedents: tuple[TopicCandidate, ...]
    reason: str
    confidence: float


def resolve(turn: str, anaphora: Anaphora, topic: ConversationTopic, domain: Domain) -> ResolvedQuestion | None:
    """Replace one anaphora. Returns None if no antecedent fits."""
    if anaphora.reference is ReferenceKind.ONE:
        return _resolve_one(turn, anaphora, topic, domain)
    if anaphora.reference is ReferenceKind.DEMONSTRATIVE and (
        resolution := _resolve_repeated_noun(turn, anaphora, topic)
    ):
        return resolution
    if anaphora.reference is ReferenceKind.DEMONSTRATIVE and not is_among(
        anaphora.noun, domain.classes, topic.language
    ):
        return None
    antecedents = find_antecedents(anaphora, topic)
    if not antecedents:
        return None
    best = antecedents[0]
    text = _insert(turn, anaphora, antecedents, topic.language)
    has_rivals = len(antecedents) > 1 and anaphora.reference is not ReferenceKind.TWO
    confidence = RIVALLED if has_rivals else CLEAR if anaphora.is_pronoun else WEAK
    return ResolvedQuestion(text, antecedents, _reason(anaphora, best.phrase.text, antecedents[1:]), confidence)


def _resolve_one(turn: str, anaphora: Anaphora, topic: ConversationTopic, domain: Domain) -> ResolvedQuestion | None:
    """ "The old one": a member of a class, or one of several named things."""
    referent = meaning_of(Pointer(anaphora.text, anaphora.start, anaphora.end, topic.language), topic, domain)
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


def resolve_action(turn: str, anaphora: Anaphora, frame: str, language: str) -> ResolvedQuestion | None:
    """ "Do that" after "How do I file a claim?" is "file a claim"; None if `frame`, the earlier question, has none."""
    match = Splicing.of(language).action.match(body_of(frame, language))
    if match is None:
        return None
    text = _replace_anaphora(turn, anaphora, match["action"])
    return ResolvedQuestion(text, (), f'"{anaphora.text}" is "{match["action"]}"', ACTION)


def find_antecedents(anaphora: Anaphora, topic: ConversationTopic) -> tuple[TopicCandidate, ...]:
    """Return the best candidate and its rivals, three at most, empty if none fits; both of "the two" in text order."""
    if anaphora.reference is ReferenceKind.TWO:
        return _pair(topic)
    scores = [
        (_fit(anaphora, candidate, topic.language) * candidate.salience, candidate) for candidate in topic.candidates
    ]
    best = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])[:3]
    return tuple(candidate for score, candidate in best if score >= RIVAL * best[0][0])


def _fit(anaphora: Anaphora, candidate: TopicCandidate, language: str) -> float:
    """How well a candidate fits an anaphora; 0 if it does not."""
    phrase = candidate.phrase
    if phrase.kind is PhraseKind.DATE:
        return 0.0
    plural = phrase.kind is PhraseKind.THING and is_plural(phrase.head, language)
    if anaphora.reference is ReferenceKind.PERSON:
        return _fit_of_person(candidate, language)
    if anaphora.reference is ReferenceKind.PLACE:
        may_be_place = phrase.preposition in Splicing.of(language).place_prepositions
        return 1.0 if phrase.kind is PhraseKind.PLACE else 0.5 if may_be_place else 0.0
    if anaphora.reference is ReferenceKind.THEY:
        return 1.0 if plural else _AS_THEY[phrase.kind]
    if anaphora.reference is ReferenceKind.IT:
        return 0.35 if plural or candidate.is_person else _AS_IT.get(phrase.kind, 1.0)
    return float(phrase.kind.is_name)


def _fit_of_person(candidate: TopicCandidate, language: str) -> float:
    phrase = candidate.phrase
    if candidate.is_person:
        return KNOWN_PERSON
    if phrase.kind is PhraseKind.NAME:
        return 1.0 if len(phrase.text.split()) in {2, 3} else 0.7
    bare = not phrase.determiner and " " in phrase.text and candidate.by_user  # possibly a name in lower case
    has_title = phrase.head in Grammar.of(language).person_titles
    return 0.8 if phrase.kind is PhraseKind.THING and (bare or has_title) else 0.0


def _pair(topic: ConversationTopic) -> tuple[TopicCandidate, ...]:
    """ "The two": the two most salient names, or else things that a user mentioned; empty if there are fewer."""
    things = [c for c in topic.candidates if c.by_user and c.phrase.kind is PhraseKind.THING]
    pair = topic.names if len(topic.names) > 1 else things
    return tuple(sorted(pair[:2], key=lambda c: (c.turn, c.phrase.start))) if len(pair) > 1 else ()


def _resolve_repeated_noun(turn: str, anaphora: Anaphora, topic: ConversationTopic) -> ResolvedQuestion | None:
    """ "That refund" after refunds were mentioned is "the refund"; "that mission" may be "the Viking 1 mission"."""
    noun = anaphora.noun.split()[-1]
    if noun in AnaphoraForms.of(topic.language).times:
        return _resolve_date(turn, anaphora, topic)
    splicing = Splicing.of(topic.language)
    for candidate in topic.names:
        if candidate.phrase.tail.lower() == noun:
            name = splicing.definite_with.format(name=candidate.phrase.text, noun=anaphora.noun)
            text = _replace_anaphora(turn, anaphora, name)
            return ResolvedQuestion(
                text, (candidate,), f'"{anaphora.text}" is the one of "{candidate.phrase.text}"', CLEAR
            )
    if not topic.mentions(noun):
        return None
    holder = next((c for c in topic.candidates if noun in c.phrase.text.lower().split()), None)
    text = _replace_anaphora(turn, anaphora, _definite(anaphora.text.split(" ", 1)[1], topic.language))
    return ResolvedQuestion(text, (holder,) if holder else (), f'"{anaphora.text}" was spoken of before', REPEATED)


def _resolve_date(turn: str, anaphora: Anaphora, topic: ConversationTopic) -> ResolvedQuestion | None:
    """ "That year" is the year of the date mentioned last."""
    dates = [candidate for candidate in topic.candidates if candidate.phrase.kind is PhraseKind.DATE]
    if not dates:
        return None
    date = max(dates, key=lambda candidate: candidate.turn)
    year = _YEAR.search(date.phrase.text)
    is_year = anaphora.noun in AnaphoraForms.of(topic.language).years
    date_text = year[0] if year and is_year else date.phrase.text
    text = _replace_anaphora(turn, anaphora, _with_preposition(date_text, turn[: anaphora.start], topic.language))
    return ResolvedQuestion(text, (date,), f'"{anaphora.text}" is {date_text}', WEAK)


def _with_preposition(date: str, before: str, language: str) -> str:
    """A date with a preposition, unless the text before it ends with one."""
    splicing = Splicing.of(language)
    if not Grammar.of(language).prepositions.isdisjoint(before.lower().split()[-1:]):
        return date
    return (splicing.in_year if date.isdigit() else splicing.on_date).format(date=date)


def _insert(turn: str, anaphora: Anaphora, antecedents: Sequence[TopicCandidate], language: str) -> str:
    """The turn with the likeliest antecedent inserted, or with both for "the two"."""
    if anaphora.reference is ReferenceKind.TWO:
        names = Splicing.of(language).and_joint.join(candidate.phrase.with_determiner for candidate in antecedents)
        return _replace_anaphora(turn, anaphora, names)
    return _insert_one(turn, anaphora, antecedents[0], language)


def _insert_one(turn: str, anaphora: Anaphora, candidate: TopicCandidate, language: str) -> str:
    phrase, word = candidate.phrase, anaphora.text.lower().replace("’", "'")
    splicing, name = Splicing.of(language), candidate.phrase.with_determiner
    if anaphora.reference in {ReferenceKind.CLASS, ReferenceKind.DEMONSTRATIVE}:
        bare = turn[anaphora.start : anaphora.end].split(" ", 1)[-1] if anaphora.noun != word else anaphora.text
        return _with_class(turn, anaphora, phrase.text, bare, language)
    if anaphora.reference is ReferenceKind.RELATION:
        return splicing.attribute.format(text=turn[: anaphora.end], name=name) + turn[anaphora.end :]
    if anaphora.reference is ReferenceKind.PLACE:
        is_kept = phrase.preposition in splicing.kept_place_prepositions
        preposition = phrase.preposition if is_kept else splicing.place_preposition
        return _replace_anaphora(turn, anaphora, splicing.place.format(preposition=preposition, name=name))
    if _is_possessive(turn, anaphora, language):
        has_clause = has_verb(turn, language)
        return _replace_anaphora(turn, anaphora, splicing.possessor.format(name=name) if has_clause else phrase.text)
    contractions = Inflection.of(language).contractions
    ending = next((f" {full}" for short, full in contractions.items() if word.endswith(short)), "")
    return _replace_anaphora(turn, anaphora, name + ending)


def _with_class(turn: str, anaphora: Anaphora, name: str, noun: str, language: str) -> str:
    """ "The mission" becomes "the Viking 1 mission", "that mission" likewise."""
    if anaphora.reference is ReferenceKind.CLASS:
        return turn[: anaphora.start] + f"{name} {turn[anaphora.start :]}"
    return _replace_anaphora(turn, anaphora, Splicing.of(language).definite_with.format(name=name, noun=noun))


def _definite(name: str, language: str) -> str:
    return NounPhrases.of(language).definite.format(name=name)


def _is_possessive(turn: str, anaphora: Anaphora, language: str) -> bool:
    word = anaphora.text.lower()
    if word not in Grammar.of(language).possessive_pronouns:
        return False
    following = turn[anaphora.end :].lstrip()
    if word not in AnaphoraForms.of(language).his_or_hers:
        return bool(following) and following[0].isalnum()
    start = len(turn) - len(following)
    return any(phrase.start == start for phrase in find_phrases(turn, language=language))


def _replace_anaphora(turn: str, anaphora: Anaphora, new: str) -> str:
    return turn[: anaphora.start] + new + turn[anaphora.end :]
