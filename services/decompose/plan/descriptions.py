"""Finds things that a question describes instead of naming: "the craft that first orbited Mars", "the smallest rover".

A description begins with "the", has a noun of a known sort, and identifies one thing: by a word such as "first" or
"largest", or by a clause that contains a name. It ends before the verb that the question still needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

import regex

from libs.text.tokens import Token, is_pronoun, is_stop_word, tokenize
from services.decompose.words.domain import Domain, is_among, singular
from services.decompose.words.grammar import (
    ADVERBS,
    AUXILIARIES,
    BE_FORMS,
    DETERMINERS,
    DO_SUPPORT,
    PERSON_TITLES,
    PREPOSITIONS,
    WH_WORDS,
    base_form,
    is_past_form,
)
from services.decompose.words.phrases import PhraseKind, find_phrases

_ORDER = frozenset(("first", "second", "third", "last", "only", "most", "least"))
_SUPERLATIVE = regex.compile(r"\w{3,}est", regex.IGNORECASE)
_NO_SUPERLATIVES = frozenset(("forest", "interest", "latest", "request", "harvest", "honest", "modest", "west"))
_RELATIVES = frozenset(("that", "which", "who"))
_SUBORDINATORS = frozenset(("before", "after", "when", "while", "since", "until", "that", "because", "if", "than"))
_ENDS = frozenset(("before", "after", "while", "when", "until", "since", "than"))
_NEGATORS = frozenset(("not", "never"))
_PAIRED = frozenset(("or", "and"))
_HAVE = frozenset(("has", "have", "had"))
_MOST_WORDS_BEFORE_NOUN = 4
_SHORTEST_PAST = 4
_ASKS_FOR_IT = regex.compile(
    r"(?:what|who|which)(?:\s+\w+){0,2}?(?:\s+(?:is|was|are|were)|['’]s)(?:\s+the\s+name\s+of)?\s*", regex.IGNORECASE
)
"""The lead of a question that asks for the described thing itself: "which craft was"."""


class _AwaitedVerb(Enum):
    """The verb form that a question still needs after a description."""

    NONE = auto()
    BASE = auto()
    """ "did the craft … launch"."""
    PARTICIPLE = auto()
    """ "was the craft … launched"."""
    FINITE = auto()
    """ "before the craft … launched"."""


class _ClauseKind(Enum):
    """The clause that follows the noun of a description."""

    NONE = auto()
    PHRASE = auto()
    """ "of China on Mars"."""
    INFINITIVE = auto()
    """ "to orbit Mars"."""
    RELATIVE = auto()
    """ "that orbited Mars"."""
    PARTICIPLE = auto()
    """ "named after Cassini"."""
    POSSESSIVE = auto()
    """ "whose name is a word for dawn"."""


_IDENTIFYING = frozenset((_ClauseKind.RELATIVE, _ClauseKind.PARTICIPLE, _ClauseKind.POSSESSIVE))
"""Clauses that can identify a thing without a word such as "first"."""


@dataclass(frozen=True, slots=True)
class Description:
    """A description, `text[start:end]`, and the question that looks up what it refers to."""

    start: int
    end: int
    asks: str
    is_unique: bool
    """Whether a word such as "first" identifies it; documents then probably use the same words."""


def find_description(text: str, domain: Domain, bare: bool = False) -> Description | None:
    """Return the first description in a question, outermost.

    Returns None if the question asks for that thing itself, or describes nothing.

    Args:
        text: a question or, with `bare`, a part of one that may begin with the description.
    """
    tokens = tokenize(text)
    for index, token in enumerate(tokens):
        if token.text.lower() != "the" or not (bare or _asks_of_it(text[: token.start])):
            continue
        description = _DescriptionReader(text, tokens, domain).read(index)
        if description:
            return description
    return None


def _asks_of_it(lead: str) -> bool:
    """Whether a lead begins a question ("from which place" included) that asks for something else than the thing."""
    first, *others = [*lead.lower().split()[:2], ""]
    is_question = first in WH_WORDS | AUXILIARIES or (first in PREPOSITIONS and others[0] in WH_WORDS)
    return is_question and not _ASKS_FOR_IT.fullmatch(lead)


class _DescriptionReader:
    """Parses the descriptions of one text."""

    def __init__(self, text: str, tokens: Sequence[Token], domain: Domain) -> None:
        self._text = text
        self._tokens = tokens
        self._words = [token.text.lower() for token in tokens]
        self._domain = domain

    def read(self, article: int) -> Description | None:
        """Return the description that begins with the token at `the`; None if there is none."""
        noun = self._noun_after(article)
        if noun is None:
            return None
        unique = any(map(_picks_one, self._words[article + 1 : noun]))
        clause = self._clause_after(noun)
        is_specific = clause in _IDENTIFYING if not unique else clause is not _ClauseKind.NONE
        last = self._last(article, noun, clause) if is_specific else None
        if last is None or self._is_denied(last + 1) or not (unique or self._names_something(noun + 1, last)):
            return None
        start, end = self._tokens[article].start, self._tokens[last].end
        return Description(start, end, self._question(article, noun, last, clause, unique), unique)

    def _noun_after(self, article: int) -> int | None:
        """The index of the head noun, the last known noun in a row with few words before it; None if there is none."""
        for index in range(article + 1, min(article + 2 + _MOST_WORDS_BEFORE_NOUN, len(self._words))):
            if self._is_known(index):
                while index + 1 < len(self._words) and self._adjoins(index + 1) and self._is_known(index + 1):
                    index += 1
                return index
            word = self._words[index]
            if (is_stop_word(word) and word not in _ORDER) or not self._adjoins(index):
                return None
        return None

    def _is_known(self, index: int) -> bool:
        word = self._words[index]
        domain = self._domain
        return is_among(word, domain.classes) or is_among(word, domain.described) or singular(word) in PERSON_TITLES

    def _adjoins(self, index: int) -> bool:
        return not self._text[self._tokens[index - 1].end : self._tokens[index].start].strip()

    def _clause_after(self, noun: int) -> _ClauseKind:
        words = [*self._words[noun + 1 : noun + 4], "", "", ""]
        if noun + 1 >= len(self._words) or not self._adjoins(noun + 1):
            return _ClauseKind.NONE
        if words[0] == "to" and (base_form(words[1]) == words[1] or words[1] in self._domain.more_verbs):
            return _ClauseKind.INFINITIVE
        if words[0] in _RELATIVES and not is_pronoun(words[1]):
            return _ClauseKind.RELATIVE if _is_finite(words[1]) or _is_finite(words[2]) else _ClauseKind.NONE
        if words[0] == "whose":
            return _ClauseKind.POSSESSIVE if _is_finite(words[2]) else _ClauseKind.NONE
        if is_past_form(words[0]) and words[1] in PREPOSITIONS:
            return _ClauseKind.PARTICIPLE
        return _ClauseKind.PHRASE if words[0] in PREPOSITIONS - {"before", "after", "during"} else _ClauseKind.NONE

    def _last(self, article: int, noun: int, clause: _ClauseKind) -> int | None:
        """The index of a description's last word; None if the verb that the question needs does not follow."""
        waits = self._waits_before(article)
        if (
            clause is _ClauseKind.PARTICIPLE
            and waits is _AwaitedVerb.PARTICIPLE
            and not self._verb_from(noun + 2, waits)
        ):
            return None  # "was the rover launched in 2003"
        begin = self._behind_own_verb(noun, clause)
        for index in range(begin, len(self._words)):
            if self._ends_before(index, waits) and not self._is_adjective(index, begin, waits):
                return index - 1
        if waits is _AwaitedVerb.BASE:
            return self._before_unknown_verb(begin)
        return len(self._words) - 1

    def _waits_before(self, article: int) -> _AwaitedVerb:
        before = self._words[article - 1] if article else ""
        if before in DO_SUPPORT:
            return _AwaitedVerb.BASE
        if before in BE_FORMS | _HAVE:
            return _AwaitedVerb.PARTICIPLE
        if before in _SUBORDINATORS:
            return _AwaitedVerb.FINITE
        return _AwaitedVerb.BASE if before in AUXILIARIES else _AwaitedVerb.NONE

    def _verb_from(self, begin: int, waits: _AwaitedVerb) -> bool:
        return any(self._is_verb_waited_for(index, waits) for index in range(begin, len(self._words)))

    def _behind_own_verb(self, noun: int, clause: _ClauseKind) -> int:
        if clause is _ClauseKind.RELATIVE:
            verb = noun + 2 if _is_finite(self._words[noun + 2]) else noun + 3
            if self._words[verb] in AUXILIARIES:
                verb += 1
            return verb + 1
        if clause is _ClauseKind.POSSESSIVE:
            return noun + 4
        return noun + (3 if clause in (_ClauseKind.INFINITIVE, _ClauseKind.PARTICIPLE) else 2)

    def _ends_before(self, index: int, waits: _AwaitedVerb) -> bool:
        word = self._words[index]
        if self._text[self._tokens[index - 1].end : self._tokens[index].start].strip(" '’-\"”"):
            return True
        if word in _PAIRED:
            following = self._words[index + 1] if index + 1 < len(self._words) else ""
            return word == "or" or following in DETERMINERS or following in WH_WORDS | DO_SUPPORT | BE_FORMS
        if self._words[index - 1] in _RELATIVES:
            return False
        is_end = word in _ENDS or word in AUXILIARIES or self._is_denied(index)
        return is_end or self._is_verb_waited_for(index, waits)

    def _is_denied(self, index: int) -> bool:
        """Whether the question negates a statement about the described thing, which sources usually state together.

        "Why could the second camera of Venera 9 not be used"; not within a description: "the craft that did not land".
        """
        if index >= len(self._words) or self._words[index] not in _NEGATORS:
            return False
        return self._words[index - 1] not in AUXILIARIES

    def _is_adjective(self, index: int, begin: int, waits: _AwaitedVerb) -> bool:
        """Whether a possible verb is an adjective: it follows the clause's own verb, and another verb comes later.

        "To send close pictures return".
        """
        return index == begin and self._is_verb_waited_for(index, waits) and self._verb_from(index + 1, waits)

    def _is_verb_waited_for(self, index: int, waits: _AwaitedVerb) -> bool:
        word, before = self._words[index], self._words[index - 1]
        if self._tokens[index].is_capitalised or waits is _AwaitedVerb.NONE or self._follows_determiner(index):
            return False
        if before in PREPOSITIONS | _PAIRED | AUXILIARIES | _RELATIVES | {"to"}:
            return False
        if before in ADVERBS and index > 1 and self._words[index - 2] in _RELATIVES:
            return False
        if waits is _AwaitedVerb.BASE:
            return base_form(word) == word or word in self._domain.more_verbs
        return is_past_form(word) or (waits is _AwaitedVerb.FINITE and _is_third_person(word))

    def _follows_determiner(self, index: int) -> bool:
        """Whether a determiner requires a noun here: "the launch", but not "the farthest of all launch"."""
        before = self._words[index - 1]
        return before in DETERMINERS and not (index > 1 and self._words[index - 2] == "of")

    def _before_unknown_verb(self, begin: int) -> int | None:
        """The index before a lower-case word after a name, taken as the verb if no known verb is found; else None."""
        for index in range(len(self._words) - 1, begin, -1):
            token, before = self._tokens[index], self._tokens[index - 1]
            plain = token.text.islower() and not is_stop_word(token.text) and token.text not in PREPOSITIONS | ADVERBS
            if plain and (before.is_capitalised or before.is_number):
                return index - 1
        return None

    def _names_something(self, first: int, last: int) -> bool:
        """Whether a clause contains a name, a date, or a word such as "first", so that it identifies one thing."""
        clause = self._text[self._tokens[first].start : self._tokens[last].end]
        picks = any(map(_picks_one, self._words[first : last + 1]))
        return picks or any(phrase.kind is not PhraseKind.THING for phrase in find_phrases(clause))

    def _question(self, article: int, noun: int, last: int, clause: _ClauseKind, unique: bool) -> str:
        """The question that looks the description up, in its own words."""
        head, verb = self._words[noun], "were" if _is_plural(self._words[noun]) else "was"
        text = self._text[self._tokens[article].start : self._tokens[last].end]
        rest = self._text[self._tokens[noun + 1].start : self._tokens[last].end]
        if unique:
            order = self._text[self._tokens[article].start : self._tokens[noun].start].strip()
            brief = clause is _ClauseKind.INFINITIVE and noun == article + 2
            return f"which {head} {verb} {f'{order} {rest}' if brief else text}"
        noun_phrase = self._text[self._tokens[article + 1].start : self._tokens[noun].end].lower()
        if clause is _ClauseKind.PARTICIPLE:
            return f"which {noun_phrase} {verb} {rest}"
        if clause is _ClauseKind.POSSESSIVE:
            return f"which {noun_phrase} {verb} it {rest}"
        return f"which {noun_phrase} {rest.split(' ', 1)[1]}"


def _picks_one(word: str) -> bool:
    """Whether a word identifies one thing: "first", "largest", "longest-lived"."""
    head = word.partition("-")[0]
    return word in _ORDER or (_SUPERLATIVE.fullmatch(head) is not None and head not in _NO_SUPERLATIVES)


def _is_finite(word: str) -> bool:
    """Whether a word in verb position is a finite verb: a known one, or by its ending."""
    return (
        is_past_form(word)
        or (word.endswith("ed") and len(word) > _SHORTEST_PAST)
        or word in {"was", "is", "has", "had", "were", "are"}
        or _is_third_person(word)
    )


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and base_form(word) not in {None, word}


def _is_plural(noun: str) -> bool:
    return noun == "people" or (singular(noun) != noun and noun not in {"series", "species"})
