"""Questions about two moments: the time between them, or which came first."""

import regex

from services.decompose.plan.events import subject_of, when_question
from services.decompose.plan.multi_hop import look_up_descriptions, new_sketch
from services.decompose.plan.parts import Split
from services.decompose.words.domain import Domain
from services.decompose.words.grammar import AUXILIARIES

_UNITS = r"(?:how\s+many\s+(?P<unit>days|weeks|months|years)|how\s+(?P<long>long|much\s+time))"
_BETWEEN = regex.compile(
    rf"{_UNITS}\s+(?:[\w']+\s+){{0,3}}?between\s+(?P<one>.+?)\s+and\s+(?P<other>the\s.+|[\p{{Lu}}\d].+|its\s.+)",
    regex.IGNORECASE,
)
_AFTER = regex.compile(rf"{_UNITS}\s+(?P<order>before|after)\s+(?P<rest>.+)", regex.IGNORECASE)
_HOW_OLD = regex.compile(
    r"how\s+old\s+(?:was|were)\s+(?P<thing>.+?)\s+when\s+(?:(?P<it>it|he|she|they)\s+)?(?P<predicate>.+)",
    regex.IGNORECASE,
)
_OF = regex.compile(r"(?P<event>the\s+[\w-]+(?:\s+[\w-]+)?)\s+of\s+(?P<thing>.+)", regex.IGNORECASE)
_POSSESSED = regex.compile(r"(?P<thing>.+)['’]s\s+[\w-]+(?:\s+[\w-]+)?", regex.IGNORECASE)
_EVENT = regex.compile(r"the\s+\p{Ll}[\w-]*(?:\s+\p{Ll}[\w-]*)?")
_NAMED = regex.compile(r"(?:the\s+)?\p{Lu}[\w'’-]*(?:\s+(?:\p{Lu}[\w'’-]*|\d+))*")
"""A bare name, which is not an event."""
_MAIN_CLAUSE = regex.compile(r"\s(?:was|were|did|is|are|does|do)\s", regex.IGNORECASE)
_DID = regex.compile(
    r"(?P<aux>did|was|were)\s+(?P<main>.+?)\s+(?P<order>before\s+or\s+after|before|after|earlier\s+than|later\s+than)\s+"
    r"(?P<other>.+)",
    regex.IGNORECASE,
)
_BEFORE = frozenset(("before", "earlier"))


def split_interval(question: str, domain: Domain) -> Split | None:
    """Return a sub-query for each of two moments, and the computation on their dates; None if no rule is certain."""
    plain = question[:1].lower() + question[1:]
    if match := _BETWEEN.fullmatch(plain):
        first, second = _complete_both(match["one"].strip(" ,"), match["other"].strip(" ,"))
        owner = _owner(first)
        return _difference(plain, match, when_question(first, domain), when_question(second, domain, owner), domain)
    if match := _HOW_OLD.fullmatch(plain):
        return _age(plain, match, domain)
    if match := _AFTER.fullmatch(plain):
        return _after(plain, match, domain)
    match = _DID.fullmatch(plain)
    return _which_first(plain, match, domain) if match else None


def _complete_both(first: str, second: str) -> tuple[str, str]:
    """Complete each of two moments with the words that they share.

    "The launch of Sputnik 1 and Apollo 11", "the landing and the last message of InSight".
    """
    first_match, second_match = _OF.fullmatch(first), _OF.fullmatch(second)
    if first_match and _NAMED.fullmatch(second):
        return first, f"{first_match['event']} of {second}"
    if second_match and _EVENT.fullmatch(first):
        return f"{first} of {second_match['thing']}", second
    return first, second


def _owner(event: str) -> str:
    """The owner of an event ("the launch of Luna 9", "Luna 9's launch"); empty if none is named."""
    match = _OF.fullmatch(event) or _POSSESSED.fullmatch(event)
    return match["thing"] if match else ""


def _age(question: str, match: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "How old was the mission when it passed Neptune": the years since it began."""
    thing = match["thing"]
    event = f"{thing} {match['predicate']}" if match["it"] else match["predicate"]
    start_question = (
        f"when was {thing} born" if (match["it"] or "").lower() in ("he", "she") else f"when did {thing} begin"
    )
    return _difference(question, match, start_question, when_question(event, domain, thing), domain)


def _after(question: str, match: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "How many years after the landing of Luna 9 was Luna 24 launched": tries each start of the main clause."""
    rest = match["rest"]
    for clause in _MAIN_CLAUSE.finditer(rest, overlapped=True):
        event, main = rest[: clause.start()], f"when{rest[clause.start() :]}"
        first = when_question(event, domain, subject_of(main, domain))
        if first:
            return _difference(question, match, first, main.strip(), domain)
    return None


def _difference(
    question: str, match: "regex.Match[str]", first_question: str | None, second_question: str | None, domain: Domain
) -> Split | None:
    if not (first_question and second_question):
        return None
    sketch = new_sketch(domain)
    first, second = sketch.ask(first_question), sketch.ask(second_question)
    text = look_up_descriptions(sketch, question, domain)
    if first == second:
        return None
    sketch.compute(text, "date_difference", first, second, _unit(match))
    return sketch.split("the time between two moments is computed from their dates")


def _unit(match: "regex.Match[str]") -> str:
    groups = match.groupdict()
    return "years" if "predicate" in groups else groups["unit"] or "days"


def _which_first(question: str, match: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "Did Spirit fall silent before MESSENGER arrived": after "before" comes a clause, or a thing alone."""
    aux, main, other = match["aux"].lower(), match["main"], match["other"].strip(" ,")
    first = f"when {aux} {main}"
    subject = subject_of(first, domain)
    if not subject:
        return None
    predicate = main[len(subject) :]
    second = when_question(other, domain, subject) or _same_question(aux, predicate, other)
    if second is None:
        return None
    sketch = new_sketch(domain)
    first_date, second_date = sketch.ask(first), sketch.ask(second)
    order = match["order"].lower().split()
    if "or" in order:
        names = [
            look_up_descriptions(sketch, name, domain, bare=True)
            for name in (subject, subject_of(second, domain) or other)
        ]
        text = f"which came first, {names[0]} or {names[1]}"
        sketch.compute(text, "earliest", names[0], first_date, names[1], second_date)
    else:
        function = "is_before" if order[0] in _BEFORE else "is_after"
        sketch.compute(look_up_descriptions(sketch, question, domain), function, first_date, second_date)
    return sketch.split("which of two moments came first is computed from their dates")


def _same_question(aux: str, predicate: str, other: str) -> str | None:
    """The same question about another thing, if the words after "before" are only that thing; else None."""
    thing = regex.sub(r"\s+(?:was|were|did|is|has)$", "", other)
    words = thing.lower().split()
    if set(words) & AUXILIARIES or not (words[0] == "the" or thing[0].isupper()):
        return None
    return f"when {aux} {thing}{predicate}"
