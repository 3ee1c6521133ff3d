"""Whose session it is."""

from collections.abc import Collection


def owns(principals: Collection[str], owners: Collection[str]) -> bool:
    """Whether a caller with these principals may use a session of these owners.

    The caller must have all of the owners. A session without owners belongs to callers without principals.
    """
    return set(owners) <= set(principals) and bool(owners) == bool(principals)
