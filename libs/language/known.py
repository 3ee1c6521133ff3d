"""The languages whose words are known, each read from its file when it is first asked for."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from libs.text.stop_words import STOP_WORDS

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of one language; of one without a file nothing is."""

    code: str
    """ISO 639-1."""
    name: str = ""
    """In English."""
    stemmer: str = ""
    """Snowball's name of it; empty where it has none."""
    capitalises_nouns: bool = False
    """Whether any noun is written with a capital, so that a capital tells no name."""
    stop_words: frozenset[str] = frozenset()
    """Lower-cased, with the straight apostrophe."""
    title_page: str = ""
    """What a document's first page tells, in words that people ask for it by."""
    quantity_words: tuple[str, ...] = ()
    """What a question for a number is put in: `how many`; lower-cased."""
    time_words: tuple[str, ...] = ()
    """What a question for a time begins with: `since when`; lower-cased."""
    number_words: frozenset[str] = frozenset()
    """Numbers in words, and what stands for one (`none`); lower-cased."""
    greetings: tuple[str, ...] = ()
    thanks: tuple[str, ...] = ()
    approvals: tuple[str, ...] = ()
    """What people say to an answer and ask nothing by: `great`, `I see`; lower-cased, as the two before."""
    affirmations: tuple[str, ...] = ()
    """Words that answer a question by themselves: `yes`; lower-cased, as the next."""
    denials: tuple[str, ...] = ()
    """The contrary: `no`."""
    statement_openers: frozenset[str] = frozenset()
    """Words that begin a statement behind such words: `thanks, that worked`."""
    chapter_words: tuple[str, ...] = ()
    """What the heading of a numbered part of a text begins with: `chapter`."""
    title_words: tuple[str, ...] = ()
    """What stands before a colon and a text's title."""
    page_words: tuple[str, ...] = ()
    """What stands beside a page's number."""
    contents_headings: tuple[str, ...] = ()
    """What stands above a table of contents; lower-cased, `*` for any words, as the two below."""
    index_headings: tuple[str, ...] = ()
    """What stands above an index at a book's end."""
    source_headings: tuple[str, ...] = ()
    """What stands above a list of sources."""
    heading_openers: tuple[str, ...] = ()
    """What may stand before those words: `list of`."""
    phrases: dict[str, str] = field(default_factory=dict)
    """The suite's own sentences in the language, by name."""


@lru_cache(maxsize=64)
def language_of(code: str) -> Language:
    """What is known of a language."""
    path = files(__package__) / "data" / f"{code}.toml"
    if not code.isalpha() or not path.is_file():
        return Language(code)
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    stop_words = frozenset(str(table.get("stop_words", "")).split())
    return Language(
        code,
        name=str(table.get("name", "")),
        stemmer=str(table.get("stemmer", "")),
        capitalises_nouns=bool(table.get("capitalises_nouns", False)),
        stop_words=stop_words | STOP_WORDS if code == ENGLISH else stop_words,
        title_page=str(table.get("title_page", "")),
        quantity_words=_listed(table, "quantity_words"),
        time_words=_listed(table, "time_words"),
        number_words=frozenset(str(table.get("number_words", "")).split()),
        greetings=_listed(table, "greetings"),
        thanks=_listed(table, "thanks"),
        approvals=_listed(table, "approvals"),
        affirmations=_listed(table, "affirmations"),
        denials=_listed(table, "denials"),
        statement_openers=frozenset(_listed(table, "statement_openers")),
        chapter_words=_listed(table, "chapter_words"),
        title_words=_listed(table, "title_words"),
        page_words=_listed(table, "page_words"),
        contents_headings=_listed(table, "contents_headings"),
        index_headings=_listed(table, "index_headings"),
        source_headings=_listed(table, "source_headings"),
        heading_openers=_listed(table, "heading_openers"),
        phrases={str(name): str(text) for name, text in table.get("phrases", {}).items()},
    )


def _listed(table: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Phrases between commas, with single spaces."""
    phrases = (" ".join(phrase.split()) for phrase in str(table.get(name, "")).split(","))
    return tuple(phrase for phrase in phrases if phrase)


@lru_cache(maxsize=1)
def known_languages() -> tuple[str, ...]:
    """The codes of all languages that have a file, in order."""
    listed = (entry.name for entry in (files(__package__) / "data").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in listed if name.endswith(".toml")))


def any_word(words: Callable[[Language], Iterable[str]]) -> str:
    """A pattern of words of all known languages, the longest first; the caller says what stands around it."""
    listed = {word for code in known_languages() for word in words(language_of(code))}
    return "|".join(re.escape(word) for word in sorted(listed, key=lambda word: (-len(word), word)))
