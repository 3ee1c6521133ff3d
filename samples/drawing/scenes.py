"""What several pictures begin with: a sky full of stars, hills, and ground strewn with stones."""

import random
from collections.abc import Sequence

from samples.drawing import hue
from samples.drawing.canvas import Canvas, Colour, Point


def night(width: int, height: int, stars: int, seed: int) -> Canvas:
    """A canvas that is a sky at night."""
    canvas = Canvas(width, height, hue.NIGHT)
    canvas.stars(stars, seed)
    return canvas


def hills(canvas: Canvas, ridge: Sequence[Point], colour: Colour) -> None:
    """All below the ridge, which goes from the left edge to the right one."""
    canvas.polygon([*ridge, (canvas.width, canvas.height), (0, canvas.height)], colour)


def ground(canvas: Canvas, top: float, colour: Colour, strewn: tuple[Colour, ...], count: int, seed: int) -> None:
    """All below `top`, with `count` stones."""
    canvas.box(0, top, canvas.width, canvas.height, colour)
    stones(canvas, top, strewn, count, seed)


def stones(canvas: Canvas, top: float, colours: tuple[Colour, ...], count: int, seed: int) -> None:
    """Strew stones over the ground below `top`, larger towards the viewer, the same for the same seed."""
    chance = random.Random(seed)
    for number in range(count):
        share = number / count
        y = top + 8 + share * (canvas.height - top - 8)
        size = 2 + 9 * share * chance.uniform(0.5, 1.4)
        canvas.ellipse(chance.uniform(0, canvas.width), y, size * 1.7, size, chance.choice(colours))
