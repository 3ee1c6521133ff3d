"""How text becomes terms, in passages and queries alike: lower case, plain letters, no stop words, English stems."""

import tantivy

from services.text.stop_words import STOP_WORDS

LONGEST_TERM = 64
"""Characters; what is longer is no word."""


def english_analyzer() -> tantivy.TextAnalyzer:
    """The analyzer of every full-text engine; `analyze(text)` gives the terms in order."""
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(LONGEST_TERM))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.custom_stopword(stop_list()))
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def stop_list() -> list[str]:
    """The words that are left out, as the tokenizer cuts them, sorted."""
    return sorted({part for word in STOP_WORDS for part in word.split("'")})
