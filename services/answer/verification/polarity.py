"""Compares words whose opposite contradicts them anywhere: `survived` and `destroyed`, `possible` and `impossible`.

Unlike in `directions`, their neighbours do not matter. A contradiction means that a sentence states one side, directly
or by denying the other, and the source states only the opposite. `Undamaged` and `damaged` are recognised by the
prefix.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from services.answer.lexicon.words import stems_of
from services.answer.verification.alignment import PlacedStem
from services.answer.verification.denials import Denial

_OPPOSITES = """
succeed success successful successfully manage / fail failure unsuccessful unsuccessfully vain
survive outlast endure intact unharmed undamaged unhurt unscathed / perish die destroy ruin crush wreck damage broken
keep retain preserve / lose
possible able / impossible unable
necessary indispensable essential required need / unnecessary superfluous needless redundant
smooth / rough
continue prolong extend / discontinue cease
known / unknown mystery
visible / invisible
easily easy / difficult hardly
allow permit enable / forbid prohibit prevent ban
work function / fault defunct
same identical / different
open / closed shut
connect attach / disconnect detach
legal lawful / illegal unlawful
safe safely / dangerous unsafe
empty / full
rare / common
remain stay / leave
public / private
active / inactive
valid / invalid
confirm prove / disprove refute
agree / disagree
permanent permanently / temporary temporarily
voluntary optional / compulsory mandatory obligatory
guilty / innocent
deep / shallow
wide / narrow
clean / dirty
dry / wet
cheap / expensive
married / unmarried
appear emerge / vanish disappear
praise / criticize criticise
healthy / sick ill
flat / steep hilly
attract / repel
"""
_PREFIX = re.compile(r"un(?=\w{5})")
_REACH = 2


def contrary_said(
    claimed: tuple[PlacedStem, ...],
    denied: tuple[Denial, ...],
    told: tuple[PlacedStem, ...],
    told_denied: tuple[Denial, ...],
) -> str | None:
    """Return the stem of the claim that the source only contradicts; None if there is none."""
    own = _said(claimed, denied)
    others = _said(told, told_denied) if own else {}
    for stem, (group, sign) in own.items():
        signs = {one for other, (where, one) in others.items() if where == group}
        if signs == {-sign} and {one for where, one in own.values() if where == group} == {sign}:
            return stem
    return _unprefixed(claimed, denied, told, told_denied)


def says_the_contrary(denial: Denial, told: frozenset[str]) -> bool:
    """Whether the source has an opposite of what is denied: `survived` for `not destroyed`."""
    sides = _sides()
    wanted = {(sides[stem][0], -sides[stem][1]) for stem in denial.following[:_REACH] if stem in sides}
    return bool(wanted) and any(sides.get(stem) in wanted for stem in told)


def _said(stems: tuple[PlacedStem, ...], denied: tuple[Denial, ...]) -> dict[str, tuple[int, int]]:
    """Map each stem that has an opposite to its group and its effective side: 1 or -1."""
    turned = {stem for denial in denied for stem in denial.following[:_REACH]}
    # Beyond the reach of a negator, a word may be denied or not: `none of the five was a success`.
    unsure = {stem for denial in denied for stem in denial.following[_REACH:]}
    sides = _sides()
    found: dict[str, tuple[int, int]] = {}
    for placed in stems:
        if placed.stem in sides and placed.stem not in unsure:
            group, sign = sides[placed.stem]
            found[placed.stem] = (group, -sign if placed.stem in turned else sign)
    return found


def _unprefixed(
    claimed: tuple[PlacedStem, ...],
    denied: tuple[Denial, ...],
    told: tuple[PlacedStem, ...],
    told_denied: tuple[Denial, ...],
) -> str | None:
    """The stem if one sentence has `damaged` and the other `undamaged`; None if either sentence contains a denial."""
    if denied or told_denied:
        return None
    own, others = {placed.stem for placed in claimed}, {placed.stem for placed in told}
    for one, other in ((own, others), (others, own)):
        for stem in _bare(one):
            if stem in other and stem not in one:
                return stem
    return None


def _bare(stems: set[str]) -> Iterator[str]:
    return (stem[prefix.end() :] for stem in stems if (prefix := _PREFIX.match(stem)))


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for group, line in enumerate(_OPPOSITES.strip().splitlines()):
        for sign, side in zip((1, -1), line.split("/"), strict=True):
            found.update((stem, (group, sign)) for stem in stems_of(side))
    return found
