"""How long recordings are stored, and how large they may be."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecordingBounds:
    """Bounds of the stored recordings."""

    seconds: float
    """Age at which a recording is deleted."""
    most_bytes: int
    """Size of all recordings together; beyond it the oldest are deleted."""
