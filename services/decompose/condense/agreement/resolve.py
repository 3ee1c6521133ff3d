"""Replaces an anaphora by its antecedent, with the article that its own form calls for."""

from dataclasses import dataclass

from libs.language.topics.agreement import Agreement
from libs.text.anaphora import AgreeingAnaphora, Reference
from libs.text.mentions import classes_of
from services.decompose.condense.agreement.antecedents import AgreementReading, Antecedent

_RIVAL = 0.6
"""A candidate with at least this share of the best salience is reported as a rival."""
CLEAR, RIVALLED = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Resolution:
    """A turn with one anaphora replaced, and its possible antecedents, likeliest first."""

    text: str
    antecedents: tuple[Antecedent, ...]
    reason: str
    confidence: float


def resolve(turn: str, anaphora: AgreeingAnaphora, reading: AgreementReading) -> Resolution | None:
    """Replace an anaphora; None if the conversation has no antecedent that fits."""
    candidates = _candidates(anaphora, reading)
    if not candidates:
        return None
    best = candidates[0]
    rivals = tuple(item for item in candidates[1:3] if _is_rival(item, best))
    text = _replaced(turn, anaphora, best, reading)
    reason = f'"{anaphora.text}" stands for "{best.mention.text}"'
    return Resolution(text, (best, *rivals), reason, RIVALLED if rivals else CLEAR)


def _is_rival(item: Antecedent, best: Antecedent) -> bool:
    return item.salience >= _RIVAL * best.salience and item.mention.head != best.mention.head


def _candidates(anaphora: AgreeingAnaphora, reading: AgreementReading) -> tuple[Antecedent, ...]:
    fitting = reading.fitting(anaphora.classes)
    if anaphora.reference is Reference.HEADLESS:
        things = fitting or reading.antecedents
        return tuple(item for item in things if not item.mention.is_person)
    things = tuple(item for item in fitting if not item.mention.is_person)
    if anaphora.reference is Reference.ADVERB:
        return things
    if anaphora.reference is Reference.PLACE:
        inside = Agreement.of(reading.language).place_prepositions
        places = tuple(item for item in things if item.mention.preposition in inside)
        return places or tuple(item for item in things if item.mention.determiner) or things
    if anaphora.noun is not None and anaphora.reference is Reference.DEMONSTRATIVE:
        head = anaphora.noun.head
        return tuple(item for item in reading.antecedents if _has_noun(item.mention.text.lower(), head))
    return fitting


def _has_noun(text: str, noun: str) -> bool:
    """Whether a name has a noun as a word, or as the last part of a compound."""
    return any(word.endswith(noun) for word in text.split())


def _replaced(turn: str, anaphora: AgreeingAnaphora, best: Antecedent, reading: AgreementReading) -> str:
    before, after = turn[: anaphora.start], turn[anaphora.end :]
    words, word, name = Agreement.of(reading.language), anaphora.text.lower(), best.mention.text
    match anaphora.reference:
        case Reference.HEADLESS:
            return f"{turn[: anaphora.end]} {name.split()[-1] if not name[-1].isdigit() else name}{after}"
        case Reference.POSSESSIVE if anaphora.noun is not None:
            possessor = words.possessor.format(name=_governed(best, reading))
            noun_end = anaphora.noun.end
            return (
                f"{before}{words.possessive_articles[word]}{turn[anaphora.end : noun_end]} {possessor}{turn[noun_end:]}"
            )
        case Reference.DEMONSTRATIVE:
            end = anaphora.noun.end if anaphora.noun is not None else anaphora.end
            return f"{before}{words.demonstrative_articles.get(word, word)} {name}{turn[end:]}"
        case Reference.ADVERB:
            return f"{before}{words.adverbs[word]} {_governed(best, reading)}{after}"
        case Reference.PLACE:
            return f"{before}{_place(best, reading)}{after}"
        case _:
            return f"{before}{_article(word, anaphora, best, reading)}{name}{after}"


def _governed(best: Antecedent, reading: AgreementReading) -> str:
    """An antecedent after a preposition, with its article if its class is certain."""
    classes = classes_of(best.mention, reading.nouns)
    articles = {Agreement.of(reading.language).governed_articles.get(cls, "") for cls in classes}
    is_certain = len(articles) == 1 and not best.mention.is_person
    return f"{articles.pop()} {best.mention.text}" if is_certain else best.mention.text


def _place(best: Antecedent, reading: AgreementReading) -> str:
    """An antecedent as a place, with its own preposition if it had one."""
    mention = best.mention
    if mention.preposition and not mention.is_attribute:
        parts = (
            mention.preposition,
            mention.determiner if mention.determiner != mention.preposition else "",
            mention.text,
        )
        return " ".join(part for part in parts if part)
    return Agreement.of(reading.language).place.format(name=_governed(best, reading))


def _article(word: str, anaphora: AgreeingAnaphora, best: Antecedent, reading: AgreementReading) -> str:
    """The article before an antecedent, with a space; none before a person's name."""
    if best.mention.is_person:
        return ""
    classes = classes_of(best.mention, reading.nouns) & anaphora.classes or anaphora.classes
    articles = Agreement.of(reading.language).pronoun_articles
    article = next((articles[key] for cls in sorted(classes) if (key := f"{word} {cls}") in articles), "")
    return f"{article} " if article else ""
