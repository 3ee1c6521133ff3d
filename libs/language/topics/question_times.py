"""Words around a time in a question that tell whether documents or events are dated."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class QuestionTimes(Topic):
    """Context of times in questions. Patterns of what precedes a time end with `\\Z`, where the time begins."""

    publication: re.Pattern[str]
    """A noun for documents: `reports`."""
    new_publication: re.Pattern[str]
    """`latest reports`."""
    news: re.Pattern[str]
    published: re.Pattern[str]
    """Before the date of a document: `published`."""
    issued: re.Pattern[str]
    """Before the date of a document or of a thing: `released`."""
    clause: re.Pattern[str]
    """A word that begins a statement about events."""
    possessed: re.Pattern[str]
    """After a time that possesses documents: `yesterday's news`."""
    link: re.Pattern[str]
    """Between documents and their date: `from the`."""
    about: re.Pattern[str]
    """Before a time that documents are about."""
    leading: re.Pattern[str]
    """A preposition that is replaced along with a time."""
    present: re.Pattern[str]
    """A verb in the present tense, by which `today` means the present."""
    happens: re.Pattern[str]
    """A word by which `today` means the day."""
    today: str
    possessive: str
    """The ending by which a time possesses something."""
    seasons: frozenset[str]
    """Seasons without a year."""
    adverbs: frozenset[str]
    """Words that begin a time, and with a capital a name: `the film Yesterday`."""
