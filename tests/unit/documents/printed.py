"""A plain text as printers lay it out: pages with heads and feet, numbered headings, a table of contents."""

from collections.abc import Sequence
from typing import Final

LINES: Final = 58
"""Of a page."""
BODIES: Final = (
    """\
                           Gardening over TCP
                 A Protocol for Watering Remote Plants

Abstract

   This document tells how plants are watered over a network by people
   who are not at home, and how they thank for it.

Table of Contents

   1.  Introduction  . . . . . . . . . . . . . . . . . . . . . . . .   2
   2.  Watering  . . . . . . . . . . . . . . . . . . . . . . . . . .   3
     2.1.  Amounts . . . . . . . . . . . . . . . . . . . . . . . . .   3
   3.  References  . . . . . . . . . . . . . . . . . . . . . . . . .   5
""",
    """\
1.  Introduction

   Plants need water.  A gardener who is away cannot carry it, so that a
   protocol is needed which carries orders instead of water, and which
   is understood by all valves that anybody has ever bought or found in
""",
    """\
   a shop.  It is called GARD.

2.  Watering

   A client sends the following fields:

   o  plant: the name of the plant, as its owner
      calls it

   o  amount: millilitres, a number from 1 to 500

   The server answers within two seconds.

2.1.  Amounts

   Amounts are limited by this table:

      Plant       Least   Most
      Cactus      1       20
      Fern        50      300
""",
    """\
   An order looks like this:

      GARD/1.0 WATER
      plant=fern; amount=200;

      GARD/1.0 END
      plant=fern; amount=0;

   The valve closes by itself.
""",
    """\
3.  References

   [RFC793]   Postel, J., "Transmission Control Protocol", RFC 793,
              September 1981.

   [FERNS]    Green, A., "Ferns", 2nd edition, Hill Press, 1998.

Appendix A.  Changes from RFC 9990

   Flowers are plants too.
""",
)


def printed(bodies: Sequence[str], head: str, foot: str) -> str:
    """Pages of one length, each but the first with a head; `#` in the foot is the page's number."""
    pages = []
    for number, body in enumerate(bodies, start=1):
        lines = [*([head, "", ""] if number > 1 else []), *body.rstrip("\n").split("\n")]
        lines += [""] * (LINES - 1 - len(lines))
        pages.append("\n".join([*lines, foot.replace("#", str(number))]))
    return "\n\f\n".join(pages) + "\n"


RFC: Final = printed(
    BODIES,
    "RFC 9999                   Gardening over TCP              November 2031",
    "Lee                          Standards Track                    [Page #]",
)
