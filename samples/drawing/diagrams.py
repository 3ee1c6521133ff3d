"""Pictures that explain: a path, a timeline."""

import math

from PIL import Image

from samples.drawing.canvas import (
    GREEN,
    GREY,
    INK,
    NIGHT,
    ORANGE,
    PAPER,
    SKY_BLUE,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    bend,
)


def gravity_assist() -> Image.Image:
    canvas = Canvas(800, 520, NIGHT)
    canvas.stars(110, seed=2)
    canvas.circle(60, 480, 46, YELLOW)
    canvas.text(60, 480, "Sun", 20, INK)
    orbit = bend((40, 200), (420, 150), (780, 420))
    canvas.line(orbit, GREY, 2)
    planet = (440.0, 236.0)
    canvas.circle(*planet, 48, ORANGE)
    canvas.half_ellipse(*planet, (48, 14), (5, 175), "#c06a1c", 5)
    canvas.arrow((500, 252), (600, 300), YELLOW, 4)
    canvas.text(520, 220, "motion of the planet", 19, YELLOW, "lm")
    before, after = bend((150, 500), (330, 330), (372, 224)), bend((372, 224), (400, 96), (760, 84))
    canvas.line([*before, *after], SKY_BLUE, 4)
    canvas.arrow(before[20], before[26], SKY_BLUE, 4)
    canvas.arrow(after[50], after[60], SKY_BLUE, 4)
    canvas.text(275, 455, "the probe arrives slowly", 19, WHITE, "lm")
    canvas.text(640, 58, "the probe leaves faster", 19, WHITE)
    canvas.circle(372, 224, 6, WHITE)
    canvas.text(350, 158, "closest approach", 19, WHITE, "rm")
    canvas.line([(352, 166), (369, 216)], WHITE, 1.5)
    canvas.text(180, 40, "Gravity assist", 32, WHITE)
    return canvas.finish()


def mars_landings_timeline() -> Image.Image:
    """Names stand on stems of four lengths, so that landings of neighbouring years don't overlap."""
    canvas = Canvas(900, 480, PAPER)
    canvas.text(450, 36, "Landings on Mars", 30, INK)
    base, first, last = 262.0, 1970, 2025
    canvas.line([(40, base), (860, base)], INK, 4)
    for year in range(first, last + 1, 5):
        x = 50 + (year - first) / (last - first) * 800
        canvas.line([(x, base - 7), (x, base + 7)], INK, 2)
        if year % 10 == 0:
            canvas.text(x, base + 22, str(year), 15, "#5b6372")
    landings: tuple[tuple[str, float, float, Colour, str], ...] = (
        ("Mars 3", 1971.9, -90, GREY, "mm"),
        ("Viking 1", 1976.55, -150, SKY_BLUE, "mm"),
        ("Viking 2", 1976.67, 110, SKY_BLUE, "mm"),
        ("Mars Pathfinder", 1997.5, -90, ORANGE, "mm"),
        ("Spirit", 2004.01, -150, ORANGE, "mm"),
        ("Opportunity", 2004.07, 110, ORANGE, "mm"),
        ("Phoenix", 2008.4, -60, SKY_BLUE, "mm"),
        ("Curiosity", 2012.6, -110, GREEN, "mm"),
        ("InSight", 2018.9, 70, SKY_BLUE, "rm"),
        ("Perseverance", 2021.13, -160, GREEN, "mm"),
        ("Zhurong", 2021.37, 130, SKY_BLUE, "mm"),
    )
    for name, when, stem, colour, anchor in landings:
        x = 50 + (when - first) / (last - first) * 800
        canvas.line([(x, base), (x, base + stem)], colour, 2.5)
        canvas.circle(x, base, 8, colour, INK, 2)
        label_x = x + 10 if anchor == "rm" else x
        canvas.text(label_x, base + stem + math.copysign(24, stem), f"{name} {int(when)}", 15, INK, anchor)
    legend = ((SKY_BLUE, "legs and engines"), (ORANGE, "airbags"), (GREEN, "sky crane"), (GREY, "silent after seconds"))
    for number, (colour, words) in enumerate(legend):
        canvas.circle(130 + number * 190, 448, 8, colour, INK, 2)
        canvas.text(146 + number * 190, 448, words, 15, INK, "lm")
    return canvas.finish()
