"""The nouns and names of a conversation as antecedents, most salient first.

An antecedent is what a later word refers to. Numbers that name no source are chosen by hand. No I/O of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from libs.language.calendar_names import month_names
from libs.language.topics.anaphora import Agreement
from libs.text.mentions import (
    Classes,
    Mention,
    MentionReader,
    classes_of,
    classes_of_nouns,
)
from libs.text.tokens import tokenize
from services.decompose.condense.topic import DECAY
from services.decompose.history import HistoryWindow

_OBLIQUE = 0.6
"""Weight of a noun after a preposition or as an attribute: the subject tends to remain the topic."""
_NAMED_BY_ANSWER = 0.2  # weight of what only an answer names; by hand
_ANSWERS_WHO = 3.0
"""For the first person that the answer to a question for a person names."""
_UNKNOWN = 0.5
"""Weight of a noun whose classes are unknown."""
_YEAR_DIGITS = 4
_READ_OF_ANSWER = 800
"""Characters of an answer that are read for the classes of nouns, and for a person that it names."""
_MAX_TOLD = 300
"""Characters of an answer whose nouns and years may be referred to; a longer one quotes much besides its answer."""


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A mention of the conversation; `turn` is the position of its exchange in the window."""

    mention: Mention
    salience: float
    turn: int
    is_of_answer: bool = False


@dataclass(frozen=True)
class AgreementReading:
    """A conversation in one language: its questions, standalone, and its nouns."""

    window: HistoryWindow
    questions: tuple[str, ...]
    language: str

    @property
    def frame(self) -> str:
        """The previous question."""
        return self.questions[-1]

    @cached_property
    def antecedents(self) -> tuple[Antecedent, ...]:
        """All possible antecedents, most salient first; numbers are none."""
        items = (item for turn in range(len(self.questions)) for item in self._of_turn(turn))
        return tuple(sorted(items, key=lambda item: -item.salience))

    @cached_property
    def years(self) -> tuple[str, ...]:
        """The years of the newest exchange, those of its answer first."""
        texts = (_told(self.window.exchanges[-1].answer), self.frame)
        tokens = (token.text for text in texts for token in tokenize(text))
        return tuple(token for token in tokens if token.isdecimal() and len(token) == _YEAR_DIGITS)

    @cached_property
    def nouns(self) -> Mapping[str, Classes]:
        """The classes of the conversation's nouns."""
        answers = [exchange.answer[:_READ_OF_ANSWER] for exchange in self.window.exchanges]
        return classes_of_nouns(
            mention for text in (*self.questions, *answers) for mention in MentionReader(self.language).read(text)
        )

    def fitting(self, classes: Classes) -> tuple[Antecedent, ...]:
        """The antecedents that agree, most salient first; those of unknown classes count less."""
        if not classes:
            return self.antecedents
        known = [(item, classes_of(item.mention, self.nouns)) for item in self.antecedents]
        fitting = [
            replace(item, salience=item.salience * (1.0 if own or item.mention.is_person else _UNKNOWN))
            for item, own in known
            if not own or own & classes
        ]
        return tuple(sorted(fitting, key=lambda item: -item.salience))

    def _of_turn(self, turn: int) -> Iterator[Antecedent]:
        decay = DECAY ** (len(self.questions) - 1 - turn)
        for mention in self._mentions(self.questions[turn]):
            oblique = mention.preposition or mention.is_attribute
            yield Antecedent(mention, decay * (_OBLIQUE if oblique else 1.0), turn)
        answer = self.window.exchanges[turn].answer
        mentions = self._mentions(answer[:_READ_OF_ANSWER])
        names = [mention for mention in mentions if mention.is_person or _may_be_person(mention)]
        person = names[0] if names and self._asks_person(self.questions[turn]) else None
        for mention in mentions:
            if mention is person:
                yield Antecedent(mention, decay * _ANSWERS_WHO, turn, is_of_answer=True)
            elif mention.is_person or (mention.determiner and _told(answer)):
                yield Antecedent(mention, decay * _NAMED_BY_ANSWER, turn, is_of_answer=True)

    def _mentions(self, text: str) -> tuple[Mention, ...]:
        """The mentions that may be an antecedent: no numbers and times."""
        times = month_names(self.language) | Agreement.of(self.language).no_antecedents
        mentions = MentionReader(self.language).read(text)
        return tuple(mention for mention in mentions if not (mention.is_number or mention.head in times))

    def _asks_person(self, question: str) -> bool:
        first = next((token.text.lower() for token in tokenize(question)), "")
        return first in Agreement.of(self.language).asks_person


def _told(answer: str) -> str:
    """An answer that only tells what was asked; empty for a longer one."""
    return answer if len(answer) <= _MAX_TOLD else ""


def _may_be_person(mention: Mention) -> bool:
    """Whether a name of several words may be a person with a profession: `der Kaufmann Emil Brandt`."""
    return len(mention.text.split()) > 1 and not any(map(str.isdigit, mention.text))
