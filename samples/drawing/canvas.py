"""A canvas for flat illustrations: shapes with smooth edges, the same pixels on every run, pillow's own font."""

import math
import random
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

Point = tuple[float, float]
Colour = str

OVERSAMPLING = 3
"""Shapes are drawn this many times larger and then averaged down: smooth edges without a drawing library."""


class Canvas:
    """A picture in the making; all coordinates and sizes are pixels of the finished picture."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * OVERSAMPLING, height * OVERSAMPLING), background)
        self._draw = ImageDraw.Draw(self._image)

    def circle(
        self, x: float, y: float, radius: float, fill: Colour | None, outline: Colour | None = None, width: float = 2
    ) -> None:
        self.ellipse(x, y, radius, radius, fill, outline, width)

    def ellipse(
        self,
        x: float,
        y: float,
        radius_x: float,
        radius_y: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 2,
    ) -> None:
        box = self._scaled([(x - radius_x, y - radius_y), (x + radius_x, y + radius_y)])
        self._draw.ellipse(box, fill=fill, outline=outline, width=round(width * OVERSAMPLING))

    def half_ellipse(self, x: float, y: float, radius: Point, degrees: Point, outline: Colour, width: float) -> None:
        """Part of an ellipse's line, from one angle to the other, clockwise from three o'clock."""
        box = self._scaled([(x - radius[0], y - radius[1]), (x + radius[0], y + radius[1])])
        self._draw.arc(box, degrees[0], degrees[1], fill=outline, width=round(width * OVERSAMPLING))

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        self._draw.polygon(self._scaled(points), fill=fill)

    def box(self, left: float, top: float, right: float, bottom: float, fill: Colour, rounding: float = 0) -> None:
        self._draw.rounded_rectangle(
            self._scaled([(left, top), (right, bottom)]), radius=rounding * OVERSAMPLING, fill=fill
        )

    def line(self, points: Sequence[Point], fill: Colour, width: float = 2) -> None:
        self._draw.line(self._scaled(points), fill=fill, width=round(width * OVERSAMPLING), joint="curve")

    def arrow(self, start: Point, end: Point, fill: Colour, width: float = 3) -> None:
        self.line([start, end], fill, width)
        angle, size = math.atan2(end[1] - start[1], end[0] - start[0]), width * 4
        wings = [
            (end[0] - size * math.cos(angle + turn), end[1] - size * math.sin(angle + turn)) for turn in (-0.45, 0.45)
        ]
        self.polygon([(end[0] + 3 * math.cos(angle), end[1] + 3 * math.sin(angle)), *wings], fill)

    def text(self, x: float, y: float, words: str, size: float, fill: Colour, anchor: str = "mm") -> None:
        font = ImageFont.load_default(size * OVERSAMPLING)
        self._draw.text((x * OVERSAMPLING, y * OVERSAMPLING), words, fill=fill, font=font, anchor=anchor)

    def labels(self, size: float, fill: Colour, *labels: tuple[float, float, str]) -> None:
        """Words around each of the points."""
        for x, y, words in labels:
            self.text(x, y, words, size, fill)

    def stars(self, count: int, seed: int) -> None:
        """Sprinkle small stars, the same for the same seed."""
        chance = random.Random(seed)
        for _ in range(count):
            x, y = chance.uniform(0, self.width), chance.uniform(0, self.height)
            self.circle(x, y, chance.choice((0.7, 1.0, 1.5)), "#c9d3ea")

    def finish(self) -> Image.Image:
        return self._image.reduce(OVERSAMPLING)

    @staticmethod
    def _scaled(points: Sequence[Point]) -> list[Point]:
        return [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points]


def bend(start: Point, control: Point, end: Point, steps: int = 60) -> list[Point]:
    """Points of a quadratic Bézier curve."""
    shares = [step / steps for step in range(steps + 1)]
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * control[0] + t**2 * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * control[1] + t**2 * end[1],
        )
        for t in shares
    ]
