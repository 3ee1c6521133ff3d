"""What a sentence asks, without the words around it, and whether it has a verb. Pure functions."""

from bisect import bisect_left

from libs.language.topics.follow_ups import EllipsisForms
from libs.language.topics.grammar import Grammar, NounPhrases
from libs.language.topics.names import NameForms
from libs.text.tokens import is_stop_word, tokenize
from services.decompose.words.grammar import find_verbs
from services.decompose.words.phrases import find_phrases


def body_of(turn: str, language: str) -> str:
    """Return the turn without lead-ins such as "and" or "thanks" or final punctuation; empty for a courtesy."""
    rest = EllipsisForms.of(language).lead.sub("", turn.strip())
    return rest.strip().rstrip("?!. …").strip()


def has_verb(text: str, language: str) -> bool:
    """Whether a text has a verb or a subject such as "I", or begins with an imperative.

    True in a language whose verbs are not known.
    """
    grammar, tokens = Grammar.of(language), tokenize(text)
    if not grammar.base_verbs:
        return True
    lower_words = [token.text.lower() for token in tokens]
    if any(word in grammar.auxiliaries or word in grammar.speakers for word in lower_words) or (
        lower_words and lower_words[0] in grammar.imperatives
    ):
        return True
    name_phrases = [phrase for phrase in find_phrases(text, language=language) if phrase.kind.is_name]
    starts = [token.start for token in tokens]
    names = frozenset(
        index
        for name in name_phrases
        for index in range(bisect_left(starts, name.start), bisect_left(starts, name.end))
    )
    return any(index for index in find_verbs(tokens, names, language))


def small_first_letter(text: str, language: str) -> str:
    """The text with an initial function word in lower case, because it is no longer a sentence."""
    first = text.split(" ", 1)[0]
    plain = first.replace("’", "'").rstrip(",")
    is_pronoun = plain in NounPhrases.of(language).capital_pronouns
    keeps_capital = is_pronoun or plain in NameForms.of(language).capitals or not is_stop_word(plain, language)
    return text if keeps_capital else first.lower() + text[len(first) :]
