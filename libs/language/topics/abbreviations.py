"""Abbreviations with a full stop, and the words that begin a sentence after one."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Abbreviations(Topic):
    """Abbreviations of a language; lower-cased, without the last full stop and without spaces: `z.b`."""

    never_end: frozenset[str]
    """They never end a sentence: titles, examples, comparisons."""
    before_number: frozenset[str]
    """Abbreviations of numbered things: they end no sentence before a digit."""
    may_end: frozenset[str]
    """They end a sentence only if one of `starters` follows."""
    starters: frozenset[str]
    """Capitalised words that probably begin a sentence; without those that are also initials, as `A`."""
    ordinal_stop: bool
    """Whether a full stop makes a number an ordinal (`am 3. Mai`); it then ends a sentence as after `may_end`."""
