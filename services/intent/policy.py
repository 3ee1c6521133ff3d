"""Which questions are refused: by patterns of words kept in a policy file, without a model.

The file (TOML) names the categories, whether each is refused and what is said then; lists of patterns (see
`services.intent.phrase_patterns`), among them `harmless`: phrases that mean nothing bad wherever they stand
(`bath bomb`, `child process`) and are passed over; and rules. A rule belongs to a category and fires on a sentence in
which one of its patterns stands, or an act near its object, and none of its exceptions; a rule may also ask for words
that make a mention a wish (`how can I`). Of the rules that fire, the first of a refused category
decides, else the first of all; its category is told even when nothing is refused.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from libs.contracts.understanding import Category, QuestionRejection
from libs.text.sentences import split_sentences
from services.intent.phrase_patterns import PatternError, PatternReading, Patterns, Phrasebook, Wanted, rarer, words_of

HARMLESS: Final = "harmless"
NONE: Final = Patterns(())
_PATTERN_KEYS: Final = ("says", "asked", "also", "acts", "objects", "unless")
_RULE_KEYS: Final = {"category", "near", "reason", *_PATTERN_KEYS}
_NEAR: Final = 6
"""Most words between an act and its object, where the rule doesn't say."""
_MASK: Final = "▪"
"""Stands where harmless words stood: no pattern matches it, and gaps count it."""


class PolicyError(Exception):
    """The policy file can't be used; the message names the file, the place in it and what is wrong."""


@dataclass(frozen=True, slots=True)
class Stance:
    """What is done with the questions of a category."""

    refuse: bool
    reason: str = ""
    """Said to the asker where it refuses."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Patterns that put a sentence into a category."""

    category: Category
    says: Patterns = NONE
    """One of them has to stand there."""
    asked: Patterns = NONE
    """So has one of these, where there are any: what turns a mention into a wish."""
    also: Patterns = NONE
    """And one of these, where there are any: what turns a harmless wish into a bad one."""
    frame: "Frame | None" = None
    """Two things that have to stand near each other."""
    unless: Patterns = NONE
    reason: str = ""
    """Said instead of the category's reason; empty for that one."""

    def fires(self, sentence: PatternReading) -> bool:
        """Whether a sentence falls under it."""
        # The rarest first: what is bad stands in few sentences, what asks for something in most.
        if not (sentence.has(self.says) or (self.frame is not None and self.frame.fits(sentence))):
            return False
        needed = (patterns for patterns in (self.asked, self.also) if patterns)
        return all(map(sentence.has, needed)) and not sentence.has(self.unless)

    def wanted(self, book: Phrasebook) -> Wanted:
        """What a sentence must have of, for the rule to fire on it."""
        says = book.wanted(self.says.patterns)
        if self.frame is None or says is None:
            return says
        of_frame = rarer(book.wanted(self.frame.acts.patterns), book.wanted(self.frame.objects.patterns))
        return None if of_frame is None else says | of_frame


@dataclass(frozen=True, slots=True)
class Frame:
    """An act and what it is done to, in any order, with few words between them."""

    acts: Patterns
    objects: Patterns
    near: int

    def fits(self, sentence: PatternReading) -> bool:
        """Whether both stand in a sentence, apart from each other and near enough."""
        acts = sentence.places(self.acts)
        objects = sentence.places(self.objects) if acts else []
        return any(act != thing and _words_between(act, thing) <= self.near for act in acts for thing in objects)


def _words_between(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Negative where they overlap: `knock a website offline` is an act around its object."""
    return max(other[0] - one[1], one[0] - other[1])


class Policy:
    """Categories and rules, ready to judge; rules are filed by the words of which their sentences have one."""

    def __init__(self, stances: Mapping[Category, Stance], rules: Sequence[Rule], phrasebook: Phrasebook) -> None:
        self.stances = stances
        self._rules = rules
        self._book = phrasebook
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._for_all: list[int] = []
        for place, rule in enumerate(rules):
            wanted = rule.wanted(phrasebook)
            if wanted is None:
                self._for_all.append(place)
            for key in wanted or ():
                self._by_word[key].append(place)

    def judge(self, question: str) -> QuestionRejection:
        """The policy's word on a question: refused or not, and the category that decided (None: no rule fired)."""
        places = {place for sentence in split_sentences(question) for place in self._fired(sentence.text)}
        if not places:
            return QuestionRejection()
        fired = [self._rules[place] for place in sorted(places)]
        decisive = next((rule for rule in fired if self.stances[rule.category].refuse), fired[0])
        return self.rejection(decisive.category, decisive.reason)

    def rejection(self, category: Category | None, reason: str = "") -> QuestionRejection:
        """What is done with a question of a category.

        Args:
            category: its category; None for none of them.
            reason: what is said where it is refused; empty for the category's own words.
        """
        if category is None or not self.stances[category].refuse:
            return QuestionRejection(category=category)
        return QuestionRejection(True, reason or self.stances[category].reason, category)

    def _fired(self, text: str) -> list[int]:
        """Where the rules stand in the list that fire on a sentence."""
        sentence = self._read(text)
        places = {place for key in sentence.keys & self._by_word.keys() for place in self._by_word[key]}
        return [place for place in (*places, *self._for_all) if self._rules[place].fires(sentence)]

    def _read(self, sentence: str) -> PatternReading:
        """The sentence with its harmless phrases masked."""
        words = words_of(sentence)
        reading = self._book.read(words)
        spans = reading.spans(HARMLESS)
        if not spans:
            return reading
        masked = {position for start, end in spans for position in range(start, end)}
        return self._book.read([_MASK if i in masked else word for i, word in enumerate(words)])


def load_policy(path: Path | None = None, refuse: Iterable[Category] | None = None) -> Policy:
    """Read a policy.

    Args:
        path: a policy file; None for the one that comes with the stage.
        refuse: the categories to refuse, in place of what the file says; None leaves it to the file.

    Raises:
        PolicyError: the file can't be read, or something in it is unknown, missing or malformed.
    """
    name = str(path) if path else "policy.toml"
    try:
        text = path.read_text(encoding="utf-8") if path else _shipped()
        return _policy(tomllib.loads(text), None if refuse is None else frozenset(refuse))
    except KeyError as error:
        raise PolicyError(f"{name}: {error} is missing") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise PolicyError(f"{name}: {error}") from error


def _shipped() -> str:
    return files("services.intent").joinpath("policy.toml").read_text(encoding="utf-8")


def _policy(table: Mapping[str, Any], refuse: frozenset[Category] | None) -> Policy:
    _refuse_unknown("table", table, {"categories", "lists", "rules"})
    book = Phrasebook({HARMLESS: (), **{name: _texts(entries) for name, entries in table.get("lists", {}).items()}})
    _refuse_unknown("category", table["categories"], {category.value.lower() for category in Category})
    stances = {
        category: _stance(category, table["categories"][category.value.lower()], refuse) for category in Category
    }
    rules = [_rule(number, entry, book) for number, entry in enumerate(table.get("rules", ()), start=1)]
    return Policy(stances, rules, book)


def _stance(category: Category, entry: Mapping[str, Any], refuse: frozenset[Category] | None) -> Stance:
    _refuse_unknown("key", entry, {"refuse", "reason"})
    refused = bool(entry["refuse"]) if refuse is None else category in refuse
    return Stance(refused, str(entry["reason"]))


def _rule(number: int, entry: Mapping[str, Any], book: Phrasebook) -> Rule:
    try:
        _refuse_unknown("key", entry, _RULE_KEYS)
        read = {name: book.parse(_texts(entry.get(name, ()))) for name in _PATTERN_KEYS}
        acts, objects = read.pop("acts"), read.pop("objects")
        if not read["says"] and not (acts and objects):
            raise ValueError("it needs says, or acts and objects")
        frame = Frame(acts, objects, int(entry.get("near", _NEAR))) if acts and objects else None
        category, reason = Category(str(entry["category"]).upper()), str(entry.get("reason", ""))
        return Rule(category, frame=frame, reason=reason, **read)
    except (PatternError, KeyError, ValueError, TypeError) as error:
        raise ValueError(f"rule {number}: {error}") from error


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"patterns are a list of texts, not {value!r}")
    return value


def _refuse_unknown(what: str, entry: Mapping[str, Any], known: set[str]) -> None:
    if unknown := entry.keys() - known:
        raise ValueError(f"unknown {what} {min(unknown)!r}")
