"""A question in other words, by the domain's lists: other words put beside its terms, its aspects added."""

from collections.abc import Mapping

from services.decompose.domain import Domain
from services.text.tokens import Token, stem, tokenize

MOST_WORDS = 4
"""Words of the longest term that is looked up."""


def with_synonyms(question: str, domain: Domain) -> str | None:
    """The question with another word behind each of its terms, the longest term first; None where it has none.

    The term itself stays: a wording that lost the word that the documents use finds less than the question did.
    """
    others = {tuple(stem(t.text) for t in tokenize(term)): words[0] for term, words in domain.synonyms.items() if words}
    tokens, told, done = tokenize(question), "", 0
    place = 0
    while place < len(tokens):
        length, other = _term_at(tokens, place, others)
        if other:
            end = tokens[place + length - 1].end
            told += f"{question[done:end]} {other}"
            done = end
        place += max(length, 1)
    return told + question[done:] if told else None


def expanded(question: str, domain: Domain) -> str | None:
    """The question with the aspects that the domain asks for beside a thing; None where it names none."""
    said = {stem(token.text) for token in tokenize(question)}
    new = [aspect for aspect in domain.focus if not {stem(token.text) for token in tokenize(aspect)} <= said]
    return f"{question.rstrip(' ?!.')}, {', '.join(new)}" if new else None


def _term_at(tokens: tuple[Token, ...], place: int, others: Mapping[tuple[str, ...], str]) -> tuple[int, str]:
    """How many words a known term has that begins here, and another for it; 0 and nothing where none does."""
    for length in range(min(MOST_WORDS, len(tokens) - place), 0, -1):
        other = others.get(tuple(stem(token.text) for token in tokens[place : place + length]))
        if other:
            return length, other
    return 0, ""
