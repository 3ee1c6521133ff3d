"""The data of each known language, read from its file on first use; LanguageDataError if that is not valid."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from libs.language.files import known_languages
from libs.language.patterns import any_of
from libs.language.topic import Topic

ENGLISH = "en"


@dataclass(frozen=True)
class Language(Topic):
    """What stages of any kind need of a language; all fields are empty for a language without a file."""

    name: str
    """The English name."""
    stemmer: str
    """Name of its Snowball stemmer; empty if there is none."""
    capitalises_nouns: bool
    """Whether all nouns are capitalised, so that a capital does not indicate a name."""
    stop_words: frozenset[str]
    """Lower-cased, with the straight apostrophe."""
    title_page: str
    """Words with which people ask for what a document's title page states."""
    quantity_words: tuple[str, ...]
    """Phrases that ask for a number: `how many`; lower-cased."""
    time_words: tuple[str, ...]
    """Phrases with which a question for a time begins: `since when`; lower-cased."""
    number_words: tuple[str, ...]
    """Number words, and words used as numbers (`none`); lower-cased."""
    greetings: tuple[str, ...]
    thanks: tuple[str, ...]
    approvals: tuple[str, ...]
    """Reactions to an answer without a question: `great`, `I see`; lower-cased, like the two fields above."""
    affirmations: tuple[str, ...]
    """Words that alone answer a question positively: `yes`; lower-cased, like `denials`."""
    denials: tuple[str, ...]
    """Words that alone answer a question negatively: `no`."""
    courtesy_words: frozenset[str]
    """Content words of which a statement beside thanks, a greeting or approval consists: `thanks, that worked`."""
    praise_words: frozenset[str]
    """Words that praise: a statement of them is thanks by itself: `you're a star`."""
    chapter_words: tuple[str, ...]
    """Words that begin the heading of a numbered part: `chapter`."""
    title_words: tuple[str, ...]
    """Words before a colon and a text's title: `Title: …`."""
    page_words: tuple[str, ...]
    """Words next to a page number."""
    source_headings: tuple[str, ...]
    """Headings of a list of sources; lower-cased, `*` matches any words."""
    heading_openers: tuple[str, ...]
    """Words that may precede these headings: `list of`."""
    phrases: Mapping[str, str]
    """Parley's own sentences in the language, by name."""


@lru_cache(maxsize=64)  # taste
def language_of(code: str) -> Language:
    """The data of a language, by its ISO 639-1 code."""
    return Language.of(code)


def phrase(name: str, language: str) -> str:
    """One of Parley's own sentences in a language, else in English.

    Raises:
        LanguageDataError: there is no sentence of this name.
    """
    return language_of(language).phrases.get(name) or language_of(ENGLISH).phrases[name]


def any_word(words: Callable[[Language], Iterable[str]]) -> str:
    """A pattern of words of all known languages, longest first, without word boundaries."""
    return any_of(word for code in known_languages() for word in words(language_of(code)))
