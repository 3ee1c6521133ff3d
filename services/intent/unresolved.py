"""Find phrases of a question without a named antecedent, which make it unclear, from its words alone.

The weights were measured on MTRAG-UN's development tasks (UNDERSPECIFIED against the rest). A demonstrative with a noun
(`that mission`) weighs 1.5. `The` with lower-case nouns whose head was not mentioned (`the deadline`) weighs 1, counted
once per question. A personal pronoun without history weighs 1.5. A pronoun or definite that the conversation may
resolve weighs .25, because some stay unresolved. The area under the ROC curve is .82 against ANSWERABLE and .81 against
all others (one half of the conversations .86, the other .78). A score of 1.5 or more is reached by 37 % of the unclear
questions, 4 % of the others, and 3 % of the answerable turns of MTRAG itself. The cosine distance between the question
and the latest answer adds less than .01, so no embedding is used.
"""
# ruff: noqa: SIM905 - a list of words reads best as words

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from libs.contracts.spans import Span
from libs.text.tokens import Token, is_stop_word, is_third_person_pronoun, stem, tokenize

DEMONSTRATIVE: Final = 1.5
DEFINITE: Final = 1.0
PRONOUN: Final = 1.5
RESOLVABLE: Final = 0.25
"""For a pronoun if there is history, and a definite whose head the history mentions."""
NAMED_WITHIN: Final = 3
"""After this many content words, a pronoun refers to one of them (MTRAG-UN: the same area)."""
_LONGEST_RUN: Final = 4
_MOST_WORDS: Final = 200
"""Words of a question that are examined; the rest of a longer one is ignored."""
_DEMONSTRATIVES: Final = frozenset({"this", "that", "these", "those"})
_BEFORE_THAT: Final = frozenset(
    """
        is are was were be do does did has have had can could will would should may might must about for in on of with
        to at by from as than like and or but so if into
    """.split()
)
"""Words after which `that` may be a demonstrative; after others it opens a clause: `I heard that people …`."""
_UNIQUE: Final = frozenset(
    """
        same only first second third last next best worst most least main default latest newest other others current
        following average total exact overall right way ways time day year world internet whole entire sun moon earth
        sky sea
    """.split()
)
"""Words for unique things, which need no antecedent."""
_AUXILIARIES: Final = frozenset("do does did can could will would should may might must".split())
_ACTS: Final = frozenset(
    """
        touch crash explode sink fly launch burn hit meet call describe detect observe photograph collect deploy enter
        transmit reveal release remain live die work apply function operate perform process differ
        find own land make launch take say tell discover provide play affect have use cost work carry fly return reach
        show mean offer include contain support start begin end happen last need want give get see know run go come
        look hold publish file pay compare cause become produce receive measure weigh orbit survive fail break build
        bring change charge cover differ explain help keep leave learn lose move open pass plan prove require search
        send stay stop study travel try turn visit write win
    """.split()
)
"""Verbs: after `did that mission` they are its predicate, not part of the noun phrase."""
_AFTER_VERB: Final = frozenset(
    """
        to with for on in at from by as into about too also if when while and or but the a an my your our me us them you
    """.split()
)
"""Words that can follow a verb, but not its subject."""
_SINGULAR: Final = frozenset({"this", "that"})
_PLURAL_FORM = re.compile(r"[^sui]s\Z")
"""After `this` and `that`, a verb: `that means`, `this sounds`."""
_VERB_FORM = re.compile(r"(?:ed|ing)\Z")
_BOUNDARY = re.compile(r"[,;:.?!]|\b(?:and|but|when|while|if|because|since|although)\b", re.I)
_EXPLETIVE = re.compile(
    r"\b(?:is|was|will|would|does|makes?)\s+it\s+(?:be\s+)?(?:\w+\s+)?(?:to|that|if|for|rain\w*|snow\w*|take|cost|matter)\b"
    r"|\bit(?:['’]s|\s+is|\s+was|\s+seems?|\s+takes?)\s+(?:\w+\s+)?(?:to|that|if|for|rain\w*|snow\w*)\b"
    r"|\btime\s+is\s+it\b|\bis\s+it\s+(?:true|possible|safe|legal|raining)\b",
    re.I,
)


_AHEAD_OF_SUBJECT = re.compile(r"\b(?:after|before|since|until|during|with|in|on|upon|despite)\s+\Z", re.I)
_OWNER_FOLLOWS = re.compile(
    r"\s+[a-z]+(?:\s+[a-z]+)?(?:,|(?=\s+(?:did|does|do|was|were|is|are|has|had|will)\b))"
    r"(?:\s+(?:what|when|where|how|did|does|do|was|were|is|are|has|had|will|the))*\s+[A-Z]"
)
"""After a possessive whose owner follows: `after its launch did Cassini …`."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A phrase that needs an antecedent and may not have one."""

    phrase: str
    span: Span
    weight: float
    possessive: bool = False
    """Whether it is a possessive: `its`, `their`."""
    tells_a_part: bool = False
    """Whether it names a part of the unnamed thing (`the deadline`), not the thing itself."""

    @property
    def demonstrative_noun(self) -> str:
        """The noun of a demonstrative (`that mission`); empty for other phrases."""
        return "" if self.tells_a_part or " " not in self.phrase else self.phrase.split()[-1]


def find_unresolved(question: str, history: Sequence[str]) -> tuple[Unresolved, ...]:
    """Return the unresolved phrases of a question, in order.

    Args:
        question: the last turn, in its original words.
        history: the earlier turns; empty for a first turn.
    """
    tokens = tokenize(question)
    history_text = "\n".join(history).lower()
    phrases: list[Unresolved] = []
    for position, token in enumerate(tokens[:_MOST_WORDS]):
        word = token.text.lower()
        if word in _DEMONSTRATIVES:
            phrases.extend(_demonstrative(question, tokens, position))
        elif word == "the":
            phrases.extend(_definite(question, tokens, position, history_text))
        elif is_third_person_pronoun(word):
            phrases.extend(_pronoun(question, tokens, position, RESOLVABLE if history_text else PRONOUN))
    return tuple(phrases)


def ask_score(unresolved: Sequence[Unresolved]) -> float:
    """Return how unclear a question is; several definites count once, because they often explain each other."""
    parts = [phrase.weight for phrase in unresolved if phrase.tells_a_part]
    return sum(phrase.weight for phrase in unresolved if not phrase.tells_a_part) + max(parts, default=0.0)


def _demonstrative(question: str, tokens: Sequence[Token], position: int) -> Iterator[Unresolved]:
    word = tokens[position].text.lower()
    if word == "that" and position and tokens[position - 1].text.lower() not in _BEFORE_THAT:
        return
    nouns = _noun_run(tokens, position + 1)
    if nouns and (_is_verb(tokens, position, nouns) or (word in _SINGULAR and _PLURAL_FORM.search(nouns[0].text))):
        return
    earlier_stems = {stem(token.text) for token in tokens[:position]}
    if nouns and not any(stem(noun.text) in earlier_stems for noun in nouns):
        yield _phrase_over(question, tokens[position], nouns[-1], DEMONSTRATIVE)


def _is_verb(tokens: Sequence[Token], position: int, nouns: Sequence[Token]) -> bool:
    """Whether the only word after `does that` is its verb: no other verb follows."""
    following = tokens[position + 1 + len(nouns) :][:1]
    asked_act = any(token.text.lower() in _AUXILIARIES for token in tokens[max(0, position - 1) : position])
    return asked_act and len(nouns) == 1 and all(token.text.lower() in _AFTER_VERB for token in following)


def _definite(question: str, tokens: Sequence[Token], position: int, history_text: str) -> Iterator[Unresolved]:
    nouns = _noun_run(tokens, position + 1)
    if not nouns or any(not noun.text.islower() for noun in nouns):
        return
    first, head = nouns[0].text, nouns[-1].text
    if first in _UNIQUE or first.endswith("est"):
        return
    weight = RESOLVABLE if has_word_with_stem(head, history_text) else DEFINITE
    yield _phrase_over(question, tokens[position], nouns[-1], weight, tells_a_part=True)


def _pronoun(question: str, tokens: Sequence[Token], position: int, weight: float) -> Iterator[Unresolved]:
    token = tokens[position]
    if token.text.lower() == "it" and any(
        match.start() <= token.start < match.end() for match in _EXPLETIVE.finditer(question)
    ):
        return
    possessive = token.text.lower() in {"its", "his", "their", "hers", "theirs"}
    is_ahead_of_subject = _AHEAD_OF_SUBJECT.search(question, 0, token.start) and _OWNER_FOLLOWS.match(
        question, token.end
    )
    if possessive and is_ahead_of_subject:
        return
    earlier_tokens = tokens[:position]
    if sum(not is_stop_word(earlier.text) for earlier in earlier_tokens) >= NAMED_WITHIN:
        return
    has_name = any(earlier.is_capitalised and not is_stop_word(earlier.text) for earlier in earlier_tokens[1:])
    has_clause = _BOUNDARY.search(question, 0, token.start) is not None and any(
        not is_stop_word(t.text) for t in earlier_tokens
    )
    if not has_name and not has_clause:
        yield Unresolved(token.text, Span(token.start, token.end), weight, possessive)


def _noun_run(tokens: Sequence[Token], start: int) -> list[Token]:
    """Return adjacent content words up to a function word, without verb forms at the end."""
    run: list[Token] = []
    asked_act = any(token.text.lower() in _AUXILIARIES for token in tokens[: start - 1])
    for token in tokens[start : start + _LONGEST_RUN]:
        if is_stop_word(token.text) or (run and token.start != run[-1].end + 1):
            break
        if asked_act and token.text.lower() in _ACTS:
            break
        run.append(token)
    while run and _VERB_FORM.search(run[-1].text):
        run.pop()
    return run


def has_word_with_stem(head: str, text: str) -> bool:
    """Whether a lower-case text has a word with the same stem as `head`."""
    beginning = stem(head).rstrip("iy") or head
    return beginning in text and re.search(rf"\b{re.escape(beginning)}", text) is not None


def _phrase_over(question: str, first: Token, last: Token, weight: float, tells_a_part: bool = False) -> Unresolved:
    span = Span(first.start, last.end)
    return Unresolved(span.of(question), span, weight, tells_a_part=tells_a_part)
