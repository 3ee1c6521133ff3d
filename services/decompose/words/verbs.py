"""Distinguishes verbs from the same words used as nouns: "does it launch?" and "the launch"."""

from collections.abc import Sequence

from libs.text.tokens import Token, is_stop_word
from services.decompose.words.grammar import (
    AUXILIARIES,
    DETERMINERS,
    DO_SUPPORT,
    IMPERATIVES,
    PREPOSITIONS,
    WH_WORDS,
    base_form,
    is_past_form,
)

_SUBJECTS = frozenset("i we you they he she it who to please".split())  # noqa: SIM905 - easier to read as a string
_MODALS = AUXILIARIES - DO_SUPPORT


def find_verbs(tokens: Sequence[Token], names: frozenset[int]) -> frozenset[int]:
    """Return the positions of the full verbs, without auxiliaries; `names` are positions that belong to names."""
    verbs: set[int] = set()
    waiting = False  # an auxiliary such as "did" was found, and its verb not yet
    for index, token in enumerate(tokens):
        word = token.text.lower()
        if word in DO_SUPPORT:
            waiting = True
        elif word in {"place", "part"} and index - 1 in verbs and base_form(tokens[index - 1].text.lower()) == "take":
            verbs.add(index)
        elif index not in names and _is_verb(tokens, index, waiting, names, verbs):
            verbs.add(index)
            waiting = False
    return frozenset(verbs)


def _is_verb(tokens: Sequence[Token], index: int, waiting: bool, names: frozenset[int], verbs: set[int]) -> bool:
    word = tokens[index].text.lower()
    base = base_form(word)
    if base is None or word in AUXILIARIES:
        return False
    before = tokens[index - 1].text.lower() if index else ""
    if before in DETERMINERS - {"that"} or (before == "that" and waiting and not _verb_follows(tokens, index)):
        return before == "that"
    if word.endswith("ing"):  # "is it landing", and not "what are checking accounts"
        return before in AUXILIARIES and not (index > 1 and tokens[index - 2].text.lower() in WH_WORDS)
    if before in _SUBJECTS or before in _MODALS or waiting:
        return not _verb_follows(tokens, index)
    return _is_verb_by_neighbours(tokens, index, before, names, verbs)


def _is_verb_by_neighbours(
    tokens: Sequence[Token], index: int, before: str, names: frozenset[int], verbs: set[int]
) -> bool:
    word = tokens[index].text.lower()
    if before in PREPOSITIONS:
        return False
    if not before:
        return word in IMPERATIVES
    if before in {"and", "or", "that", "which", "not", "first", "also", "then"}:
        return not (is_past_form(word) and _noun_follows(tokens, index, names)) or before in {"that", "which"}
    if index - 1 in names:
        return True
    return is_past_form(word) and not is_stop_word(before) and index - 1 not in verbs


def _verb_follows(tokens: Sequence[Token], index: int) -> bool:
    """Whether the next word is a verb in its base form, so this one is a noun: "that refund take"."""
    if index + 1 >= len(tokens):
        return False
    following = tokens[index + 1].text.lower()
    return base_form(following) == following


def _noun_follows(tokens: Sequence[Token], index: int, names: frozenset[int]) -> bool:
    if index + 1 >= len(tokens) or index + 1 in names:
        return False
    following = tokens[index + 1].text
    return not is_stop_word(following) and not following[0].isdigit()
