"""Reads the words and patterns of a topic in a language from `data/<language>/<topic>.toml`.

A topic is a frozen dataclass that derives from `Topic`. Its file is named after it (`NameChecks`: `name_checks.toml`),
its keys are the fields. A field's type says what a key holds:

- `str`, `bool`, `int`: the value;
- `frozenset[str]`, `tuple[str, ...]`: a list, or one string of phrases with commas between them, or without any comma
  a string of words with white space between them;
- `Mapping[str, V]`: a table, where V is one of these types;
- `re.Pattern[str]`: a regular expression (see `libs.language.patterns`); `{field}` or `{topic.field}` stands for the
  words of a list (or the keys of a table), longest first, or for another pattern; the other topic must be in `uses`;
- `tuple[re.Pattern[str], ...]`: a list of these.

A table `[parts]` holds patterns, and lists of words, that only patterns refer to; no field is named after them.

A language without the file or the key has an empty value, and a pattern that matches nothing. A word that a pattern
matches and a table lacks is an error of the files; it names the file, the key and the word.
"""

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast, get_args, get_origin, get_type_hints

from libs.language.files import LanguageDataError, phrases_of, read_toml
from libs.language.patterns import NEVER, PatternError, any_of, compile_pattern


@dataclass(frozen=True)
class Topic:
    """Base class of the topics."""

    uses: ClassVar[tuple[type["Topic"], ...]] = ()
    """Topics to which this one's patterns refer."""

    @classmethod
    def of(cls, language: str) -> Self:
        """The topic in a language, by its ISO 639-1 code; read once.

        Raises:
            LanguageDataError: the file is not valid.
        """
        topic: Self = _reader(cast(Hashable, cls), language).topic
        return topic


def topic_name(topic: type[Topic]) -> str:
    """The name of a topic's file: `NameChecks` is in `name_checks.toml`."""
    return re.sub(r"(?<!\A)(?=[A-Z])", "_", topic.__name__).lower()


@lru_cache(maxsize=1024)  # taste
def _reader(topic: Any, language: str) -> "_TopicReader":
    """One reader per topic and language: the patterns of several topics refer to the same lists."""
    return _TopicReader(topic, language)


class _Words(dict[str, Any]):
    """A table of a file."""

    def __init__(self, values: Mapping[str, Any], place: str) -> None:
        super().__init__(values)
        self._place = place

    def __missing__(self, word: str) -> Any:
        raise LanguageDataError(f"{self._place}: {word!r} is missing, and a pattern matches it")


class _TopicReader:
    """Reads one topic of one language."""

    def __init__(self, topic: type[Topic], language: str) -> None:
        self._topic = topic
        self._language = language
        self._name = f"{language}/{topic_name(topic)}.toml"
        self._hints = get_type_hints(topic)
        self._table = read_toml(language, f"{topic_name(topic)}.toml")
        self._parts: Mapping[str, str | list[str]] = self._table.pop("parts", {})
        self._values: dict[str, Any] = {}

    @cached_property
    def topic(self) -> Any:
        """The topic with all its fields."""
        names = [field.name for field in fields(self._topic)]
        if unknown := sorted(self._table.keys() - set(names)):
            raise LanguageDataError(f"{self._name}: no such key: {', '.join(unknown)}")
        return self._topic(**{name: self._field(name) for name in names})

    def pattern_of(self, name: str) -> str:
        """The pattern of a field or part: of its words, if it is a list."""
        if name not in self._parts and name not in self._hints:
            raise PatternError(f"no such list or pattern: {name}")
        value = self._parts[name] if name in self._parts else self._field(name)
        if isinstance(value, str):
            value = compile_pattern(value, self._resolve)
        return f"(?:{_without_flags(value)})" if isinstance(value, re.Pattern) else any_of(value)

    def _field(self, name: str) -> Any:
        if name not in self._values:
            try:
                self._values[name] = self._value(self._hints[name], self._table.get(name), name)
            except (PatternError, TypeError, ValueError) as error:
                raise LanguageDataError(f"{self._name}: {name}: {error}") from error
        return self._values[name]

    def _value(self, kind: Any, value: Any, name: str) -> Any:
        origin = get_origin(kind)
        if origin is re.Pattern:
            return compile_pattern(str(value), self._resolve) if value is not None else re.compile(NEVER)
        if origin is tuple and get_origin(get_args(kind)[0]) is re.Pattern:
            return tuple(self._value(get_args(kind)[0], item, name) for item in value or ())
        if origin is frozenset or origin is tuple:
            return origin(_phrases(value))
        if origin is Mapping:
            values = {key: self._value(get_args(kind)[1], item, name) for key, item in _items(value)}
            return MappingProxyType(_Words(values, f"{self._name}: {name}"))
        if value is not None and type(value) is not kind:
            raise TypeError(f"must be a {kind.__name__}, not {value!r}")
        return kind() if value is None else value

    def _resolve(self, reference: str) -> str:
        """The pattern of `field` or `topic.field`."""
        topic, _, name = reference.rpartition(".")
        if not topic:
            return self.pattern_of(name)
        topics_used = {topic_name(other): other for other in self._topic.uses}
        if topic not in topics_used:
            raise PatternError(f"no such topic: {topic}")
        return _reader(cast(Hashable, topics_used[topic]), self._language).pattern_of(name)


def _phrases(value: object) -> Iterable[str]:
    if isinstance(value, list):
        return map(str, value)
    if value is not None and not isinstance(value, str):
        raise TypeError(f"must be a list, or a string of words or phrases, not {value!r}")
    return phrases_of(value or "")


def _items(value: object) -> Iterable[tuple[str, Any]]:
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"must be a table, not {value!r}")
    return (value or {}).items()


def _without_flags(pattern: re.Pattern[str]) -> str:
    """The source of a pattern; a leading `(?i)` becomes local, since flags are allowed only at a pattern's start."""
    source = pattern.pattern
    return f"(?i:{source.removeprefix('(?i)')})" if source.startswith("(?i)") else source
