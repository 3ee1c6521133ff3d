"""Turn statements into questions by sentence pattern; only patterns that give natural English."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.text.calendar_words import MONTHS
from libs.text.memoize import memoized
from libs.text.tokens import is_stop_word
from libs.text.units import unit_named
from services.answer.answer_types import holds_date
from services.answer.lexicon.verbs import base_forms

TOPIC = "topic"
_WORD = r"[^\W\d_a-z][\w'’\-]*"
_NAME = rf"{_WORD}(?:\s(?:{_WORD}|\d{{1,3}}))*"
_MONTH = "|".join(name.title() for name in MONTHS if len(name) > 3)
_LEADING_DATE = re.compile(r"\A(?:On|In|By|Since|Until|At)\s[^,]*?\d{4}(?:\sat\s[\d:]+(?:\s\w+){0,2})?,?\s")
_SUBJECT = rf"(?P<subject>{_NAME}(?:\sand\s{_NAME})?)"
_PASSIVE = re.compile(
    rf"\A{_SUBJECT}\s(?P<aux>was|were)\s(?P<participle>\w+(?:ed|en|own|uilt|ent|ade|ought))\b(?P<rest>.*)"
)
_ACTIVE = re.compile(rf"\A{_SUBJECT}\s(?P<verb>[a-z]+)\b(?P<rest>.*)")
_MASS = re.compile(rf"\A{_SUBJECT}\s(?:had|has)\sa\s(?P<thing>mass|height|length|diameter|width)\sof\b")
_OBJECT = re.compile(r"\s(?!that\b|out\b|its\b|no\b|nothing\b)\w+\s\w+")
_COUNT = re.compile(r"\A\s(?:about\s|more than\s|nearly\s|some\s)?[\d,.]+\s(?P<thing>[a-z]+s)\b")
_PLACE = re.compile(rf"\A(?:\sdown)?(?:\ssoftly)?\s(?:in|on|at|near)\s(?:the\s\w+\s)?(?!{_MONTH})[^\W\d_a-z]")
_PARTICLE = re.compile(r"\s(?:down|off|back|up)\b")
_COMPLEMENT_END = re.compile(rf"\s(?:on|in)\s(?=\d|{_MONTH})|[,;:.]|\s(?:and|but)\s")
_UNCLEAR = re.compile(r"\d|\b(?:about|which|that|its|their|his|her)\b")
_MOST_COMPLEMENT_WORDS = 5
_FINDING = frozenset({"discovered", "found", "detected", "revealed", "observed", "measured", "photographed", "carried"})
_LANDING = frozenset({"landed", "touched", "crashed", "arrived", "splashed", "came", "set"})


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A generated question with its form (`when`, `where`, `topic` …) and the name that it asks about."""

    form: str
    subject: str
    text: str


@memoized(texts=2048, longest=1024)
def questions_of(sentence: str, title: str) -> tuple[GeneratedQuestion, ...]:
    """Return questions that the sentence answers; the title is its document's topic."""
    return tuple(_questions_of(sentence, title))


def _questions_of(sentence: str, title: str) -> Iterator[GeneratedQuestion]:
    body = _LEADING_DATE.sub("", sentence)
    dated = holds_date(sentence)
    if match := _MASS.match(body):
        question = GeneratedQuestion(
            "measure", match["subject"], f"What is the {match['thing']} of {match['subject']}?"
        )
        yield from _if_subject_is_name(question)
    elif match := _PASSIVE.match(body):
        yield from _from_passive(match, dated)
    elif (match := _ACTIVE.match(body)) and match["verb"] in base_forms():
        yield from _from_active(match, dated)
    if (topic := re.match(_NAME, title)) and topic[0] in sentence:
        yield GeneratedQuestion(TOPIC, topic[0], f"What is known about {topic[0]}?")


def _from_passive(match: re.Match[str], dated: bool) -> Iterator[GeneratedQuestion]:
    subject = match["subject"]
    passive = f"{match['aux']} {subject} {match['participle']}"
    if dated:
        yield from _if_subject_is_name(GeneratedQuestion("when", subject, f"When {passive}?"))
    elif re.search(r"\sby\s[^\W\d_a-z]", match["rest"]):
        yield from _if_subject_is_name(GeneratedQuestion("who", subject, f"Who {passive} by?"))
    elif re.search(r"\b(?:because|since|so that)\b", match["rest"]):
        yield from _if_subject_is_name(GeneratedQuestion("why", subject, f"Why {passive}?"))


def _from_active(match: re.Match[str], dated: bool) -> Iterator[GeneratedQuestion]:
    subject, verb, rest = match["subject"], match["verb"], match["rest"]
    predicate = f"did {subject} {base_forms()[verb]}"
    if count := _COUNT.match(rest):
        if unit_named(count["thing"]) is None:
            yield from _if_subject_is_name(
                GeneratedQuestion("how many", subject, f"How many {count['thing']} {predicate}?")
            )
    elif verb in _FINDING and _OBJECT.match(rest):
        yield from _if_subject_is_name(GeneratedQuestion("what", subject, f"What {predicate}?"))
    elif verb in _LANDING and _PLACE.match(rest):
        particle = _PARTICLE.match(rest)
        yield from _if_subject_is_name(
            GeneratedQuestion("where", subject, f"Where {predicate}{particle[0] if particle else ''}?")
        )
    elif dated and (complement := _short_complement(rest)) is not None:
        yield from _if_subject_is_name(GeneratedQuestion("when", subject, f"When {predicate}{complement}?"))


def _short_complement(rest: str) -> str | None:
    """Return the words after the verb up to the date or the end of the clause; None if too many or unclear."""
    complement = _COMPLEMENT_END.split(rest)[0]
    return complement if len(complement.split()) <= _MOST_COMPLEMENT_WORDS and not _UNCLEAR.search(complement) else None


def _if_subject_is_name(question: GeneratedQuestion) -> Iterator[GeneratedQuestion]:
    """Yield the question if its subject is a name and not `The`, `Three` or `Early`."""
    first = question.subject.split()[0].lower()
    if not is_stop_word(first) and not first.endswith(("ing", "ly")) and first not in MONTHS:
        yield question
