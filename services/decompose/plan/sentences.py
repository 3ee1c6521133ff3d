"""What a sentence asks, without the words around it, and whether it has a verb. Pure functions."""

from libs.language.topics.grammar import NounPhrases
from libs.language.topics.names import NameForms
from libs.language.topics.turns import TurnForms
from libs.text.tokens import is_stop_word


def body_of(turn: str, language: str) -> str:
    """Return the turn without lead-ins such as "and" or "thanks" or final punctuation; empty for a courtesy."""
    rest = TurnForms.of(language).lead.sub("", turn.strip())
    return rest.strip().rstrip("?!. …").strip()


def small_first_letter(text: str, language: str) -> str:
    """The text with an initial function word in lower case, because it is no longer a sentence."""
    first = text.split(" ", 1)[0]
    plain = first.replace("’", "'").rstrip(",")
    is_pronoun = plain in NounPhrases.of(language).capital_pronouns
    keeps_capital = is_pronoun or plain in NameForms.of(language).capitals or not is_stop_word(plain, language)
    return text if keeps_capital else first.lower() + text[len(first) :]
