"""English abbreviations with a full stop, and the words that begin a sentence after one."""
# ruff: noqa: SIM905 - a list of words reads best as words

NEVER_END = frozenset(
    """
    adm assoc approx brig ca capt cf cmdr col comdr cpl dr drs e.g ed eds esp est ex fr gen gov hon i.e incl lt m
    messrs mgr mlle mme mr mrs ms msgr mt mts op pfc pres prof pvt ref refs rep repr rev sen sens sgt supt ver viz
    vs v.s z.b d.h u.a bzw ggf
    """.split()
)
"""Abbreviations that never end a sentence: titles, examples, comparisons."""

BEFORE_NUMBER = frozenset(
    "art ch chap cit eq eqs fig figs fol n no nos nr p pp par para sec sect tab v vol vols".split()
)
"""Abbreviations of numbered things: they end no sentence before a digit."""

MAY_END = frozenset(
    """
    al ave bldg blvd bros co corp dept dist div esq ft inc jan feb mar apr jun jul aug sep sept oct nov dec jr ltd
    llc mon tue tues wed thu thur thurs fri sat sun nat'l plc rd sr st univ u.s u.k u.n e.u d.c a.m p.m b.c a.d ph.d
    b.a m.a m.d b.sc m.sc c.e b.c.e min max lat long hrs cm km kg lb lbs oz
    """.split()
)
"""Abbreviations that end a sentence only if a word in `STARTERS` follows."""

STARTERS = frozenset(
    """
    The This That These Those It Its He She They We You His Her Their Our My There Here In On At By For From With
    Without After Before During Since Until Although Though While When Where What Who Which Why How If As But And Or So
    Yet Because However Moreover Furthermore Therefore Also An Another Other Some Many Most Several Each Every Both All
    Not Only One Two Three Such Then Thus Today Later Under Over Between Among Despite According To Once Instead
    Meanwhile Finally First Second Next Is Are Was Were Do Does Did Can Could Will Would Should
    """.split()
)
"""Capitalised words that probably begin a sentence. `A` and `I` are left out: they are also initials."""
