"""Decide which questions to refuse, by word patterns from a policy file, without a model.

The TOML file has categories, each with whether it is refused and for what reason; lists of patterns (see
`phrase_patterns`); and rules. The list `harmless` has phrases that are always ignored (`bath bomb`,
`child process`). A rule belongs to a category. It fires on a sentence that matches one of its patterns, or an act near
its object, and none of its exceptions; it may also require words that turn a mention into a wish (`how can I`). Of the
rules that fire, the first of a refused category decides, else the first of all. Its category is reported even if the
question is not refused.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Final

from libs.contracts.understanding import Category
from libs.text.sentences import split_sentences
from services.intent.policy.phrase_patterns import PatternError, words_of
from services.intent.policy.phrasebook import PatternReading, Patterns, Phrasebook

HARMLESS: Final = "harmless"
_PATTERN_KEYS: Final = ("says", "asked", "also", "acts", "objects", "unless")
_RULE_KEYS: Final = {"category", "near", "reason", *_PATTERN_KEYS}
_NEAR: Final = 6
"""Default maximum of words between an act and its object (taste)."""
_MASK: Final = "▪"
"""Replaces each harmless word: no pattern matches it, but gaps count it."""


class PolicyError(Exception):
    """The policy file is unusable; the message names the file, the location in it and the problem."""


@dataclass(frozen=True, slots=True)
class Stance:
    """How questions of a category are treated."""

    refuse: bool
    reason: str = ""
    """Shown to the user if the question is refused."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Patterns that put a sentence into a category; empty ones are no condition."""

    category: Category
    reason: str
    """Overrides the category's reason; empty for no override."""
    near: int
    """Maximum of words between an act and its object."""
    says: Patterns
    """One of these must match, unless an act stands near its object."""
    acts: Patterns
    objects: Patterns
    asked: Patterns
    """One of these must match too, if there are any: they turn a mention into a wish."""
    also: Patterns
    """One of these must match too, if there are any: they turn a harmless wish into a bad one."""
    unless: Patterns

    def fires(self, sentence: PatternReading) -> bool:
        """Whether the rule applies to a sentence."""
        # Rarest first: few sentences have bad words, most ask for something.
        if not (sentence.has(self.says) or self._has_act(sentence)):
            return False
        conditions = (patterns for patterns in (self.asked, self.also) if patterns)
        return all(map(sentence.has, conditions)) and not sentence.has(self.unless)

    def _has_act(self, sentence: PatternReading) -> bool:
        """Whether a sentence has an act and its object, in any order, at different positions and near enough."""
        objects = list(sentence.places(self.objects))
        acts = sentence.places(self.acts) if objects else ()
        return any(act != thing and _words_between(act, thing) <= self.near for act in acts for thing in objects)


def _words_between(first: tuple[int, int], second: tuple[int, int]) -> int:
    """Return the words between two ranges; negative if they overlap: `knock a website offline` is around its object."""
    return max(second[0] - first[1], first[0] - second[1])


class Policy:
    """Categories and rules of one language, ready to judge."""

    def __init__(self, stances: Mapping[Category, Stance], rules: Sequence[Rule], phrasebook: Phrasebook) -> None:
        self.stances = stances
        self._rules = rules
        self._book = phrasebook

    def deciding_rule(self, question: str) -> Rule | None:
        """Return the rule that decides on a question; None if none fires."""
        sentences = [self._read(each.text) for each in split_sentences(question, self._book.language)]
        rules = [rule for rule in self._rules if any(map(rule.fires, sentences))]
        return next((rule for rule in rules if self.stances[rule.category].refuse), rules[0] if rules else None)

    def _read(self, sentence: str) -> PatternReading:
        """Return the sentence's words with harmless phrases masked."""
        words = words_of(sentence)
        reading = PatternReading(self._book, words)
        masked = {position for span in reading.places(self._book.lists[HARMLESS]) for position in range(*span)}
        if not masked:
            return reading
        return PatternReading(self._book, [_MASK if at in masked else word for at, word in enumerate(words)])


def load_policy(path: Traversable, language: str, refuse: Iterable[Category] | None = None) -> Policy:
    """Load a policy.

    Args:
        path: a policy file.
        language: of its patterns, ISO 639-1.
        refuse: the categories to refuse, overriding the file; None for no override.

    Raises:
        PolicyError: the file cannot be read, or has something unknown, missing or malformed.
    """
    name = str(path)
    try:
        text = path.read_text(encoding="utf-8")
        return _policy(tomllib.loads(text), language, None if refuse is None else frozenset(refuse))
    except KeyError as error:
        raise PolicyError(f"{name}: {error} is missing") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise PolicyError(f"{name}: {error}") from error


def _policy(table: Mapping[str, Any], language: str, refuse: frozenset[Category] | None) -> Policy:
    _refuse_unknown("table", table, {"categories", "lists", "rules"})
    lists = {name: _texts(entries) for name, entries in table.get("lists", {}).items()}
    book = Phrasebook({HARMLESS: (), **lists}, language)
    _refuse_unknown("category", table["categories"], {category.value.lower() for category in Category})
    stances = {
        category: _stance(category, table["categories"][category.value.lower()], refuse) for category in Category
    }
    rules = [_rule(number, entry, book) for number, entry in enumerate(table.get("rules", ()), start=1)]
    return Policy(stances, rules, book)


def _stance(category: Category, entry: Mapping[str, Any], refuse: frozenset[Category] | None) -> Stance:
    _refuse_unknown("key", entry, {"refuse", "reason"})
    is_refused = bool(entry["refuse"]) if refuse is None else category in refuse
    return Stance(is_refused, str(entry["reason"]))


def _rule(number: int, entry: Mapping[str, Any], book: Phrasebook) -> Rule:
    try:
        _refuse_unknown("key", entry, _RULE_KEYS)
        patterns = {name: book.parse(_texts(entry.get(name, ()))) for name in _PATTERN_KEYS}
        if not patterns["says"] and not (patterns["acts"] and patterns["objects"]):
            raise ValueError("must have says, or acts and objects")
        near, reason = int(entry.get("near", _NEAR)), str(entry.get("reason", ""))
        return Rule(Category(str(entry["category"]).upper()), reason, near, **patterns)
    except (PatternError, KeyError, ValueError, TypeError) as error:
        raise ValueError(f"rule {number}: {error}") from error


def _texts(value: object) -> Sequence[str]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"patterns are a list of texts, not {value!r}")
    return value


def _refuse_unknown(what: str, entry: Mapping[str, Any], allowed: set[str]) -> None:
    if unknown := entry.keys() - allowed:
        raise ValueError(f"unknown {what} {min(unknown)!r}")
