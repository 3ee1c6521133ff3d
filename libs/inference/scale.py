"""A model's own scale: how near two texts are, when its cosines of texts that have nothing in common count as 0.

Models lie differently: sentences without anything in common have a cosine of .04 by all-MiniLM-L6-v2 and of .78 by
multilingual-e5-small. Of 1,725 pairs of news sentences (the test set of MRPC) .9 of the cosine joins, within the bounds
of `services.timeline.meaning`, 8 by the one, which people call the same, and 91 by the other, of which they call 56 so;
.9 of the own scale joins 7 (all) and 5 (4).
"""

from collections.abc import Sequence

from libs.inference.vectors import Vector

UNRELATED = (
    "The ferry left the harbour with forty passengers on board.",
    "Her second novel was translated into Polish.",
    "The vaccine was tested on mice before it was approved.",
    "A new stadium was opened in the north of the city.",
    "The company cut the price of its cheapest phone.",
    "Volcanic ash grounded all flights over the island.",
    "The court heard the first witness in the morning.",
    "Farmers planted more wheat than in the year before.",
    "The telescope took its first picture of a distant galaxy.",
    "The orchestra played a symphony by Mahler.",
    "Parliament voted for a lower tax on fuel.",
    "The goalkeeper was sent off before half-time.",
)
"""Sentences that tell of nothing in common: what a model makes of them is its scale's 0. They are sent beside the texts
each time, for whoever hosts the model keeps vectors, and may host another one next time."""


def floor_of(unrelated: Sequence[Vector]) -> float:
    """The mean cosine, in [-1, 1], of each two of at least two unit vectors of texts without anything in common."""
    count = len(unrelated)
    total = sum(unrelated[1:], start=unrelated[0])
    return float(total @ total - count) / (count * (count - 1))


def on_own_scale(cosine: float, floor: float) -> float:
    """A cosine on the scale from `floor` (0) to 1 (1); 0 for a model that calls everything the same."""
    return (cosine - floor) / (1 - floor) if floor < 1 else 0.0
