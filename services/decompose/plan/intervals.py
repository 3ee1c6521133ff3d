"""Questions about two moments: the time between them, or which came first."""

import regex

from services.decompose.plan.events import subject_of, when_asked
from services.decompose.plan.multi_hop import looked_up, new_sketch
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
    if found := _BETWEEN.fullmatch(plain):
        one, other = _each_whole(found["one"].strip(" ,"), found["other"].strip(" ,"))
        owner = _owner(one)
        return _difference(plain, found, when_asked(one, domain), when_asked(other, domain, owner), domain)
    if found := _HOW_OLD.fullmatch(plain):
        return _age(plain, found, domain)
    if found := _AFTER.fullmatch(plain):
        return _after(plain, found, domain)
    found = _DID.fullmatch(plain)
    return _which_first(plain, found, domain) if found else None


def _each_whole(one: str, other: str) -> tuple[str, str]:
    """Complete each of two moments with the words that they share.

    "The launch of Sputnik 1 and Apollo 11", "the landing and the last message of InSight".
    """
    of_one, of_other = _OF.fullmatch(one), _OF.fullmatch(other)
    if of_one and _NAMED.fullmatch(other):
        return one, f"{of_one['event']} of {other}"
    if of_other and _EVENT.fullmatch(one):
        return f"{one} of {of_other['thing']}", other
    return one, other


def _owner(event: str) -> str:
    """The owner of an event ("the launch of Luna 9", "Luna 9's launch"); empty if none is named."""
    found = _OF.fullmatch(event) or _POSSESSED.fullmatch(event)
    return found["thing"] if found else ""


def _age(question: str, found: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "How old was the mission when it passed Neptune": the years since it began."""
    thing = found["thing"]
    event = f"{thing} {found['predicate']}" if found["it"] else found["predicate"]
    began = f"when was {thing} born" if (found["it"] or "").lower() in ("he", "she") else f"when did {thing} begin"
    return _difference(question, found, began, when_asked(event, domain, thing), domain)


def _after(question: str, found: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "How many years after the landing of Luna 9 was Luna 24 launched": tries each start of the main clause."""
    rest = found["rest"]
    for clause in _MAIN_CLAUSE.finditer(rest, overlapped=True):
        event, main = rest[: clause.start()], f"when{rest[clause.start() :]}"
        first = when_asked(event, domain, subject_of(main, domain))
        if first:
            return _difference(question, found, first, main.strip(), domain)
    return None


def _difference(
    question: str, found: "regex.Match[str]", one: str | None, other: str | None, domain: Domain
) -> Split | None:
    if not (one and other):
        return None
    sketch = new_sketch(domain)
    first, second = sketch.ask(one), sketch.ask(other)
    asked = looked_up(sketch, question, domain)
    if first == second:
        return None
    sketch.compute(asked, "date_difference", first, second, _unit(found))
    return sketch.split("the time between two moments is computed from their dates")


def _unit(found: "regex.Match[str]") -> str:
    groups = found.groupdict()
    return "years" if "predicate" in groups else groups["unit"] or "days"


def _which_first(question: str, found: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "Did Spirit fall silent before MESSENGER arrived": after "before" comes a clause, or a thing alone."""
    aux, main, other = found["aux"].lower(), found["main"], found["other"].strip(" ,")
    one = f"when {aux} {main}"
    subject = subject_of(one, domain)
    if not subject:
        return None
    predicate = main[len(subject) :]
    second = when_asked(other, domain, subject) or _same_asked(aux, predicate, other)
    if second is None:
        return None
    sketch = new_sketch(domain)
    first_date, second_date = sketch.ask(one), sketch.ask(second)
    order = found["order"].lower().split()
    if "or" in order:
        named = [looked_up(sketch, name, domain, bare=True) for name in (subject, subject_of(second, domain) or other)]
        text = f"which came first, {named[0]} or {named[1]}"
        sketch.compute(text, "earliest", named[0], first_date, named[1], second_date)
    else:
        function = "is_before" if order[0] in _BEFORE else "is_after"
        sketch.compute(looked_up(sketch, question, domain), function, first_date, second_date)
    return sketch.split("which of two moments came first is computed from their dates")


def _same_asked(aux: str, predicate: str, other: str) -> str | None:
    """The same question about another thing, if the words after "before" are only that thing; else None."""
    thing = regex.sub(r"\s+(?:was|were|did|is|has)$", "", other)
    words = thing.lower().split()
    if set(words) & AUXILIARIES or not (words[0] == "the" or thing[0].isupper()):
        return None
    return f"when {aux} {thing}{predicate}"
