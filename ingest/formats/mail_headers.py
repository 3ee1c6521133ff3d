"""Headers of mails as their library reads them, but never for long: the time grows with the square of their length."""

from email.headerregistry import BaseHeader
from email.policy import EmailPolicy
from typing import Any, Final

LONGEST: Final = 8_192
"""Characters of a header that are read: some 200 recipients, a hundredth of a second of work."""


class _Bounded(EmailPolicy):
    """Cuts long headers; one that the library cannot read is taken as it stands."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if isinstance(value, BaseHeader):
            return value
        if name.lower() == "date":  # the library drops the names of zones
            return value[:LONGEST]
        try:
            return super().header_fetch_parse(name, value[:LONGEST])
        except Exception:  # the library raises many kinds, RecursionError among them
            return super().header_fetch_parse(name, "") if name.lower().startswith("content-") else value[:LONGEST]


def bounded_policy() -> "EmailPolicy[Any]":
    """The policy for parsing the mails of strangers."""
    return _Bounded()
