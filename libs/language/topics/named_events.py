"""How a language names events: `Apollo 11 landing`, `Battle of Hastings`, `the 2008 financial crisis`."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class NamedEvents(Topic):
    """Names of events, and what tells them from other names."""

    kinds: tuple[str, ...]
    """Nouns of events: `landing`; lower-cased."""
    event: re.Pattern[str]
    """A name that says by itself that it is an event; group `name`."""
    dated: re.Pattern[str]
    """An event named by its year; group `name`."""
    named: re.Pattern[str]
    """A name followed by a noun of events; groups `name` and `kind`."""
    numbered: re.Pattern[str]
    """A name with a number, which is an event if a text says so: `Apollo 11`."""
    year: re.Pattern[str]
    """The year within a name, in group `year`."""
    leading: re.Pattern[str]
    """One capitalised word that is no part of the name it precedes: `When`."""
    acting: re.Pattern[str]
    """Such words, if the noun after the name is then its verb: `Did Apple launch`."""
    no_name_after: re.Pattern[str]
    """What precedes a name that is a subject (`did NASA launch`), or one of many (`that NASA mission`)."""
    before_event: re.Pattern[str]
    """What precedes a name that a text calls an event: `the landing of`."""
    after_event: re.Pattern[str]
    """What follows such a name: ` mission`, ` was launched`."""
