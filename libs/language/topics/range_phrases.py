"""Phrases for an exact range of time, written by Parley."""

from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class RangePhrases(Topic):
    """Templates; each phrase has its preposition, and fits after a verb or a noun."""

    month_names: tuple[str, ...]
    """The twelve months."""
    day: str
    """A day: `{day}`, `{month}`, `{year}`."""
    day_of_year: str
    """A day whose year follows: `{day}`, `{month}`."""
    day_of_month: str
    """A day whose month follows: `{day}`."""
    month: str
    """A month: `{month}`, `{year}`."""
    moment: str
    """A day with its time: `{day}`, `{time}`."""
    since: str
    """`{start}`, the end being now."""
    open_end: str
    """From `{start}` on."""
    before: str
    """Before the moment `{end}`."""
    until: str
    """Up to and including the day `{end}`."""
    on_day: str
    """On one `{day}`."""
    on_day_hours: str
    """On one `{day}`, from the time `{start}` to `{end}`."""
    in_month: str
    """In one `{month}`."""
    in_year: str
    """In one `{year}`."""
    days: str
    """From one day or moment, `{start}`, to another, `{end}`."""
    months: str
    """From one month, `{start}`, to another, `{end}`."""
    years: str
    """From one year, `{start}`, to another, `{end}`."""
