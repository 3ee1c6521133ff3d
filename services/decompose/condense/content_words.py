"""The content words that a standalone question adds to its turn."""

from libs.contracts.query import WeightedTerm
from libs.text.tokens import content_words, stem


def added_terms(standalone: str, turn: str, language: str) -> tuple[WeightedTerm, ...]:
    """Return the content words of a standalone question that its turn lacks, each once."""
    turn_stems = {stem(word, language) for word in content_words(turn, language)}
    terms = {stem(word, language): word for word in reversed(content_words(standalone, language))}
    return tuple(WeightedTerm(word, 1.0) for key, word in reversed(terms.items()) if key not in turn_stems)
