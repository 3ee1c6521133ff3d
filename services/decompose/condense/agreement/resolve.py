"""Replaces an anaphora (a word that refers back) by its antecedent, with its article. No I/O of its own."""

from dataclasses import dataclass

from libs.language.topics.anaphora import Agreement
from libs.text.anaphora import AgreeingAnaphora, AnaphoraKind
from libs.text.mentions import PLURAL, Mention, classes_of
from services.decompose.condense.agreement.antecedents import AgreementReading, Antecedent
from services.decompose.condense.agreement.ellipsis import MARKS, beside

_RIVAL = 0.6
"""A candidate with at least this share of the best salience is reported as a rival, two at most (by hand)."""
_MIN_PREFIX = 3
"""Letters of the first part of a compound (taste)."""
CLEAR, RIVALLED = 0.8, 0.5  # confidence with one candidate, and with rivals; by hand


@dataclass(frozen=True, slots=True)
class Resolution:
    """A turn with one anaphora replaced, and its possible antecedents, likeliest first."""

    text: str
    antecedents: tuple[Antecedent, ...]
    reason: str
    confidence: float


def resolve(turn: str, anaphora: AgreeingAnaphora, reading: AgreementReading) -> Resolution | None:
    """Replace an anaphora; None if the conversation has no antecedent that fits."""
    if anaphora.reference is AnaphoraKind.TIME:
        return _resolve_time(turn, anaphora, reading)
    candidates = _candidates(anaphora, reading)
    if anaphora.text.lower() in Agreement.of(reading.language).event_pronouns and anaphora.noun is None:
        candidates = tuple(item for item in candidates if _is_subject(item, reading))
        if not candidates:
            return _resolve_event(turn, anaphora, reading)
    return _resolve_thing(turn, anaphora, candidates, reading)


def _resolve_thing(
    turn: str, anaphora: AgreeingAnaphora, candidates: tuple[Antecedent, ...], reading: AgreementReading
) -> Resolution | None:
    if not candidates:
        return None
    best = candidates[0]
    rivals = tuple(item for item in candidates[1:3] if _is_rival(item, best))
    text = _replaced(turn, anaphora, best, reading)
    reason = f'"{anaphora.text}" stands for "{best.mention.text}"'
    return Resolution(text, (best, *rivals), reason, RIVALLED if rivals else CLEAR)


def _resolve_time(turn: str, anaphora: AgreeingAnaphora, reading: AgreementReading) -> Resolution | None:
    """`Damals` is the year spoken of last."""
    if not reading.years:
        return None
    time = Agreement.of(reading.language).time.format(year=reading.years[0])
    text = f"{turn[: anaphora.start]}{time}{turn[anaphora.end :]}"
    return Resolution(text, (), f'"{anaphora.text}" is {reading.years[0]}', CLEAR)


def _resolve_event(turn: str, anaphora: AgreeingAnaphora, reading: AgreementReading) -> Resolution | None:
    """`Das` for what the previous question says: the turn is put beside it."""
    text = beside(turn, reading)
    if reading.frame.strip(MARKS) in turn:
        return None
    return Resolution(text, (), f'"{anaphora.text}" stands for the previous question', RIVALLED)


def _is_subject(item: Antecedent, reading: AgreementReading) -> bool:
    """Whether an antecedent is the newest question's subject or object, with a certain class."""
    is_newest = item.turn == len(reading.questions) - 1
    is_oblique = item.mention.preposition or item.mention.is_attribute
    return is_newest and not is_oblique and bool(classes_of(item.mention, reading.nouns)) and not item.mention.is_person


def _is_rival(item: Antecedent, best: Antecedent) -> bool:
    return item.salience >= _RIVAL * best.salience and item.mention.head != best.mention.head


def _candidates(anaphora: AgreeingAnaphora, reading: AgreementReading) -> tuple[Antecedent, ...]:
    if anaphora.reference is AnaphoraKind.HEADLESS:  # one of several, whose nouns are plural
        things = reading.fitting(anaphora.classes | {PLURAL}) or reading.antecedents
        things = tuple(item for item in things if not item.mention.is_person)
        return tuple(item for item in things if not item.is_of_answer) or things
    fitting = reading.fitting(anaphora.classes)
    things = tuple(item for item in fitting if not item.mention.is_person)
    if anaphora.reference is AnaphoraKind.ADVERB:
        return things
    if anaphora.reference is AnaphoraKind.PLACE:
        inside = Agreement.of(reading.language).place_prepositions
        places = tuple(item for item in things if item.mention.preposition in inside)
        return places or tuple(item for item in things if item.mention.determiner) or things
    if anaphora.noun is not None and anaphora.reference is AnaphoraKind.DEFINITE:
        named = (item for item in reading.antecedents if not (item.is_of_answer and item.mention.is_person))
        return tuple(item for item in named if _is_longer(item.mention, anaphora.noun, reading.language))
    if anaphora.noun is not None and anaphora.reference is AnaphoraKind.DEMONSTRATIVE:
        head = anaphora.noun.head
        return tuple(item for item in reading.antecedents if _has_noun(item.mention.text.lower(), head))
    return fitting


def _is_longer(mention: Mention, noun: Mention, language: str) -> bool:
    """Whether a mention is a compound of a noun, or the noun with a name or number."""
    if noun.head in Agreement.of(language).no_antecedents:
        return False
    words, head = mention.text.lower().split(), noun.head
    is_compound = any(word.endswith(head) and len(word) >= len(head) + _MIN_PREFIX for word in words)
    return is_compound or (len(words) > 1 and words[0] == head)


def _has_noun(text: str, noun: str) -> bool:
    """Whether a name has a noun as a word, or as the last part of a compound."""
    return any(word.endswith(noun) for word in text.split())


def _replaced(turn: str, anaphora: AgreeingAnaphora, best: Antecedent, reading: AgreementReading) -> str:
    if anaphora.noun is not None:
        return _with_noun_replaced(turn, anaphora, anaphora.noun, best, reading)
    before, after = turn[: anaphora.start], turn[anaphora.end :]
    words, word, name = Agreement.of(reading.language), anaphora.text.lower(), best.mention.text
    match anaphora.reference:
        case AnaphoraKind.HEADLESS:
            return f"{turn[: anaphora.end]} {name.split()[-1] if not name[-1].isdigit() else name}{after}"
        case AnaphoraKind.DEMONSTRATIVE:
            return f"{before}{words.demonstrative_articles.get(word, word)} {name}{after}"
        case AnaphoraKind.ADVERB:
            preposition = words.adverbs[word]
            return f"{before}{preposition} {_governed(best, reading, preposition)}{after}"
        case AnaphoraKind.PLACE:
            return f"{before}{_place(best, reading)}{after}"
        case _:
            return f"{before}{_article(word, anaphora, best, reading)}{name}{after}"


def _with_noun_replaced(
    turn: str, anaphora: AgreeingAnaphora, noun: Mention, best: Antecedent, reading: AgreementReading
) -> str:
    """The turn with a determiner and its noun replaced, or the possessor after it."""
    before, between, after = turn[: anaphora.start], turn[anaphora.end : noun.end], turn[noun.end :]
    words, word, name = Agreement.of(reading.language), anaphora.text.lower(), best.mention.text
    if anaphora.reference is AnaphoraKind.POSSESSIVE:
        possessor = words.possessor.format(name=_governed(best, reading))
        return f"{before}{words.possessive_articles[word]}{between} {possessor}{after}"
    if anaphora.reference is AnaphoraKind.DEFINITE:
        return f"{turn[: noun.start]}{name}{after}"
    return f"{before}{words.demonstrative_articles.get(word, word)} {name}{after}"


def _governed(best: Antecedent, reading: AgreementReading, preposition: str = "") -> str:
    """An antecedent after a preposition, with its article if its class is certain."""
    mention, governed = best.mention, Agreement.of(reading.language).governed_articles
    if preposition and mention.preposition == preposition and mention.determiner:
        return f"{mention.determiner} {mention.text}"
    classes = classes_of(mention, reading.nouns)
    articles = {governed.get(f"{preposition} {cls}", governed.get(cls, "")) for cls in classes}
    is_certain = len(articles) == 1 and not mention.is_person
    return f"{articles.pop()} {best.mention.text}" if is_certain else best.mention.text


def _place(best: Antecedent, reading: AgreementReading) -> str:
    """An antecedent as a place, with its own preposition if it had one."""
    mention = best.mention
    is_inside = mention.preposition in Agreement.of(reading.language).place_prepositions
    if is_inside or (mention.preposition and not mention.is_attribute):
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
    words = Agreement.of(reading.language)
    if word in words.articles_as_pronouns:
        return f"{words.demonstrative_articles.get(word, word)} "
    classes = classes_of(best.mention, reading.nouns) & anaphora.classes or anaphora.classes
    articles = words.pronoun_articles
    article = next((articles[key] for cls in sorted(classes) if (key := f"{word} {cls}") in articles), "")
    return f"{article} " if article else ""
