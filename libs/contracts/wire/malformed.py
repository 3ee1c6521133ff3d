"""What a message cannot be read for, with the path of the field."""

from typing import Self


class MalformedMessage(ValueError):  # noqa: N818 - it names what is wrong
    """A message lacks a field that its value needs, or a field is out of range."""

    def __init__(self, path: str, description: str) -> None:
        super().__init__(f"{path}: {description}")
        self.path = path
        """From the message that was to be read: `evidence[2].passage`."""
        self.description = description
        """A sentence."""

    def within(self, outer: str) -> Self:
        """The same fault, seen from the message that holds this one at `outer`; empty for that message itself."""
        return type(self)(_join(outer, self.path), self.description)


def _join(outer: str, inner: str) -> str:
    return f"{outer}{inner}" if inner.startswith("[") or not (outer and inner) else f"{outer}.{inner}"
