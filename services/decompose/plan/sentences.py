"""What a sentence asks, without the words around it."""

from libs.language.topics.turns import TurnForms


def body_of(turn: str, language: str) -> str:
    """Return the turn without lead-ins such as "and" or "thanks" or final punctuation; empty for a courtesy."""
    rest = TurnForms.of(language).lead.sub("", turn.strip())
    return rest.strip().rstrip("?!. …").strip()
