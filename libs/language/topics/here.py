"""Words for the user's own place: `here`, `nearby`, `in this city`."""

import re
from dataclasses import dataclass

from libs.language.topic import Topic


@dataclass(frozen=True)
class Here(Topic):
    """Words that refer to where the user is, and what takes their place.

    In the templates `{place}` is the session's place; `{preposition}` the word of the pattern's group.
    """

    near: re.Pattern[str]
    """Near the user."""
    near_place: str
    """In place of `near`."""
    nearby_thing: re.Pattern[str]
    """Before a thing that is near the user: `nearby restaurants`; group `a` for an article, after which it needs
    `request`."""
    nearby_thing_place: str
    """In place of `nearby_thing`; `{a}` is the article."""
    request: re.Pattern[str]
    """An opening after which `a nearby pharmacy` is near the user, not part of a story."""
    here: re.Pattern[str]
    """`here`; group `preposition` for one that stays, or `inside` for one that goes."""
    here_follows: re.Pattern[str]
    """What follows a `here` without preposition that means a place."""
    not_a_place: re.Pattern[str]
    """Phrases in which `here` is not the user's place: `click here`."""
    home: re.Pattern[str]
    """`where I live`."""
    in_place: str
    """In place of `home`."""
    here_place: str
    """In place of `here`; `{preposition}` is its preposition in lower case, else `default_preposition`."""
    default_preposition: str
    this_place: re.Pattern[str]
    """`in this city`; groups `preposition`, and `which` if it may be a place mentioned before."""
    this_place_itself: re.Pattern[str]
    """`this city` without preposition; group `which` as above."""
    this_place_place: str
    """In place of `this_place`."""
    demonstrative: re.Pattern[str]
    """What the group `which` holds if it may be a place that was mentioned before."""
