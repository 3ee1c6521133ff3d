"""Pictures that explain: a path, a timeline."""

import math

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, Colour, bend
from samples.drawing.scenes import night


def gravity_assist() -> Image.Image:
    canvas = night(800, 520, stars=110, seed=2)
    canvas.circle(60, 480, 46, hue.YELLOW)
    canvas.text(60, 480, "Sun", 20, hue.INK)
    orbit = bend((40, 200), (420, 150), (780, 420))
    canvas.line(orbit, hue.GREY, 2)
    planet = (440.0, 236.0)
    canvas.circle(*planet, 48, hue.ORANGE)
    canvas.half_ellipse(*planet, (48, 14), (5, 175), "#c06a1c", 5)
    canvas.arrow((500, 252), (600, 300), hue.YELLOW, 4)
    canvas.text(520, 220, "motion of the planet", 19, hue.YELLOW, "lm")
    before, after = bend((150, 500), (330, 330), (372, 224)), bend((372, 224), (400, 96), (760, 84))
    canvas.line([*before, *after], hue.SKY_BLUE, 4)
    canvas.arrow(before[20], before[26], hue.SKY_BLUE, 4)
    canvas.arrow(after[50], after[60], hue.SKY_BLUE, 4)
    canvas.text(275, 455, "the probe arrives slowly", 19, hue.WHITE, "lm")
    canvas.text(640, 58, "the probe leaves faster", 19, hue.WHITE)
    canvas.circle(372, 224, 6, hue.WHITE)
    canvas.text(350, 158, "closest approach", 19, hue.WHITE, "rm")
    canvas.line([(352, 166), (369, 216)], hue.WHITE, 1.5)
    canvas.text(180, 40, "Gravity assist", 32, hue.WHITE)
    return canvas.finish()


def mars_landings_timeline() -> Image.Image:
    """Names stand on stems of four lengths, so that landings of neighbouring years don't overlap."""
    canvas = Canvas(900, 480, hue.PAPER)
    canvas.text(450, 36, "Landings on Mars", 30, hue.INK)
    base, first, last = 262.0, 1970, 2025
    canvas.line([(40, base), (860, base)], hue.INK, 4)
    for year in range(first, last + 1, 5):
        x = 50 + (year - first) / (last - first) * 800
        canvas.line([(x, base - 7), (x, base + 7)], hue.INK, 2)
        if year % 10 == 0:
            canvas.text(x, base + 22, str(year), 15, hue.SLATE)
    landings: tuple[tuple[str, float, float, Colour, str], ...] = (
        ("Mars 3", 1971.9, -90, hue.GREY, "mm"),
        ("Viking 1", 1976.55, -150, hue.SKY_BLUE, "mm"),
        ("Viking 2", 1976.67, 110, hue.SKY_BLUE, "mm"),
        ("Mars Pathfinder", 1997.5, -90, hue.ORANGE, "mm"),
        ("Spirit", 2004.01, -150, hue.ORANGE, "mm"),
        ("Opportunity", 2004.07, 110, hue.ORANGE, "mm"),
        ("Phoenix", 2008.4, -60, hue.SKY_BLUE, "mm"),
        ("Curiosity", 2012.6, -110, hue.GREEN, "mm"),
        ("InSight", 2018.9, 70, hue.SKY_BLUE, "rm"),
        ("Perseverance", 2021.13, -160, hue.GREEN, "mm"),
        ("Zhurong", 2021.37, 130, hue.SKY_BLUE, "mm"),
    )
    for name, when, stem, colour, anchor in landings:
        x = 50 + (when - first) / (last - first) * 800
        canvas.line([(x, base), (x, base + stem)], colour, 2.5)
        canvas.circle(x, base, 8, colour, hue.INK, 2)
        label_x = x + 10 if anchor == "rm" else x
        canvas.text(label_x, base + stem + math.copysign(24, stem), f"{name} {int(when)}", 15, hue.INK, anchor)
    legend = (
        (hue.SKY_BLUE, "legs and engines"),
        (hue.ORANGE, "airbags"),
        (hue.GREEN, "sky crane"),
        (hue.GREY, "silent after seconds"),
    )
    for number, (colour, words) in enumerate(legend):
        canvas.circle(130 + number * 190, 448, 8, colour, hue.INK, 2)
        canvas.text(146 + number * 190, 448, words, 15, hue.INK, "lm")
    return canvas.finish()
