"""Questions about two moments: how long lies between them, and which of them came first."""

import regex

from services.decompose.chains import looked_up, new_sketch
from services.decompose.domain import Domain
from services.decompose.events import subject_of, when_asked
from services.decompose.grammar import AUXILIARIES
from services.decompose.parts import Split

_UNITS = r"(?:how\s+many\s+(?P<unit>days|weeks|months|years)|how\s+(?P<long>long|much\s+time))"
_BETWEEN = regex.compile(
    rf"{_UNITS}\s+(?:[\w']+\s+){{0,3}}?between\s+(?P<one>.+?)\s+and\s+(?P<other>the\s.+|[\p{{Lu}}\d].+|its\s.+)",
    regex.IGNORECASE,
)
_AFTER = regex.compile(rf"{_UNITS}\s+(?P<order>before|after)\s+(?P<rest>.+)", regex.IGNORECASE)
_MAIN_CLAUSE = regex.compile(r"\s(?:was|were|did|is|are|does|do)\s", regex.IGNORECASE)
_DID = regex.compile(
    r"(?P<aux>did|was|were)\s+(?P<main>.+?)\s+(?P<order>before\s+or\s+after|before|after|earlier\s+than|later\s+than)\s+"
    r"(?P<other>.+)",
    regex.IGNORECASE,
)
_BEFORE = frozenset(("before", "earlier"))


def split_interval(question: str, domain: Domain) -> Split | None:
    """A sub-query for each of two moments, and what is computed from their dates; None where no rule is sure."""
    plain = question[:1].lower() + question[1:]
    if found := _BETWEEN.fullmatch(plain):
        return _difference(plain, found, when_asked(found["one"], domain), when_asked(found["other"], domain), domain)
    if found := _AFTER.fullmatch(plain):
        return _after(plain, found, domain)
    found = _DID.fullmatch(plain)
    return _which_first(plain, found, domain) if found else None


def _after(question: str, found: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "How many years after the landing of Luna 9 was Luna 24 launched": where the main clause begins is tried out."""
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
    sketch.compute(asked, "date_difference", first, second, found["unit"] or "days")
    return sketch.split("the time between two moments is computed from their dates")


def _which_first(question: str, found: "regex.Match[str]", domain: Domain) -> Split | None:
    """ "Did Spirit fall silent before MESSENGER arrived": a clause, or a thing of which the same is asked."""
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
    """The same of another thing, where the words behind "before" are nothing but that thing."""
    thing = regex.sub(r"\s+(?:was|were|did|is|has)$", "", other)
    words = thing.lower().split()
    if set(words) & AUXILIARIES or not (words[0] == "the" or thing[0].isupper()):
        return None
    return f"when {aux} {thing}{predicate}"
