"""Tidies an assembled question: leading "and", white space, capital, final punctuation. No I/O of its own."""

from libs.language.topics.turns import TurnForms

_MARKS = ".?!…"


def body_of(turn: str, language: str) -> str:
    """Return the turn without lead-ins such as "and" or "thanks" or final punctuation; empty for a courtesy."""
    rest = TurnForms.of(language).lead.sub("", turn.strip())
    return rest.strip().rstrip("?!. …").strip()


def tidy(question: str, language: str) -> str:
    """Return the question without conversational lead-ins, on one line, with its capital and question mark."""
    return as_question(body_of(question, language).strip(" ,;"))


def as_question(question: str) -> str:
    """Return a question on one line, with an initial capital and final punctuation."""
    plain = " ".join(question.split())
    return plain[:1].upper() + plain[1:] + ("" if plain[-1:] in _MARKS else "?")
