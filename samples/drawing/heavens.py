"""Pictures of the Moon and of planets."""

import math

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, Colour, Point, bend
from samples.drawing.scenes import night


def moon_landing_sites() -> Image.Image:
    """The near side, north up; a site stands where orthographic projection puts its longitude and latitude."""
    canvas = night(800, 600, stars=90, seed=11)
    centre, radius = (400.0, 245.0), 205.0
    canvas.circle(*centre, radius, hue.MOON)
    maria = (
        (-17, 33, 70, 56),
        (18, 27, 38, 32),
        (31, 8, 46, 36),
        (-48, 14, 34, 78),
        (51, -8, 20, 34),
        (59, 17, 13, 18),
    )
    for longitude, latitude, width, height in maria:
        x, y = _on_globe(longitude, latitude, centre, radius)
        canvas.ellipse(x, y, width, height, hue.MARIA)
    sites: tuple[tuple[str, float, float, Point], ...] = (
        ("Luna 9", -64.4, 7.1, (130, 195)),
        ("Surveyor 1", -43.3, -2.5, (130, 275)),
        ("Apollo 11", 23.5, 0.7, (670, 300)),
        ("Apollo 15", 3.6, 26.1, (670, 120)),
        ("Apollo 17", 30.8, 20.2, (670, 180)),
        ("Luna 16", 56.3, -0.7, (670, 240)),
        ("Chang'e 3", -19.5, 44.1, (130, 102)),
    )
    for name, east, north, label in sites:
        x, y = _on_globe(east, north, centre, radius)
        canvas.line([(x, y), label], hue.ORANGE, 1.5)
        canvas.circle(x, y, 6, hue.ORANGE, hue.WHITE, 2)
        left = label[0] < x
        canvas.text(label[0] + (-8 if left else 8), label[1], name, 20, hue.WHITE, "rm" if left else "lm")
    _moon_phases(canvas, 530)
    return canvas.finish()


def _on_globe(longitude: float, latitude: float, centre: Point, radius: float) -> Point:
    east, north = math.radians(longitude), math.radians(latitude)
    return centre[0] + radius * math.cos(north) * math.sin(east), centre[1] - radius * math.sin(north)


def _moon_phases(canvas: Canvas, y: float) -> None:
    """Nine phases from new moon to new moon: the lit half grows from the right and shrinks to the left."""
    radius, dark = 30.0, "#2b3657"
    for number in range(9):
        x, phase = 400 + (number - 4) * 82.0, number / 8 * 2 * math.pi
        edge = math.cos(phase)
        waxing = phase <= math.pi
        canvas.circle(x, y, radius, dark)
        heights = [step / 30 * math.pi - math.pi / 2 for step in range(31)]
        side = 1.0 if waxing else -1.0
        limb = [(x + side * radius * math.cos(h), y + radius * math.sin(h)) for h in heights]
        terminator = [(x + side * edge * radius * math.cos(h), y + radius * math.sin(h)) for h in reversed(heights)]
        if abs(edge) < 0.999 or edge < 0:
            canvas.polygon([*limb, *terminator], hue.MOON)


def planet_sizes() -> Image.Image:
    canvas = night(900, 420, stars=80, seed=3)
    planets: tuple[tuple[str, float, Colour], ...] = (
        ("Mercury", 4_879, "#a7a29a"),
        ("Venus", 12_104, "#e8cf9a"),
        ("Earth", 12_756, hue.SKY_BLUE),
        ("Mars", 6_792, hue.RUST),
        ("Jupiter", 142_984, hue.SAND),
        ("Saturn", 120_536, "#e6cf8f"),
        ("Uranus", 51_118, "#9fd8df"),
        ("Neptune", 49_528, "#4a6fd0"),
    )
    places = (45, 120, 185, 245, 375, 590, 758, 845)
    for (name, diameter, colour), x in zip(planets, places, strict=True):
        radius = diameter / 142_984 * 98
        canvas.circle(x, 200, radius, colour)
        if name == "Jupiter":
            for offset, half in ((-50, 83), (-22, 94), (20, 95), (48, 84)):
                canvas.line([(x - half, 200 + offset), (x + half, 200 + offset)], "#b97f4a", 8)
            canvas.ellipse(x + 36, 234, 17, 9, hue.RUST)
        if name == "Saturn":
            canvas.half_ellipse(x, 200, (114, 24), (-40, 220), "#bfa566", 9)
        canvas.text(x, 350, name, 18, hue.WHITE)
        canvas.text(x, 376, f"{diameter:,}", 13, hue.GREY)
    canvas.text(450, 402, "diameter at the equator in kilometres; distances are not to scale", 14, hue.GREY)
    canvas.text(450, 34, "The planets in one scale", 28, hue.WHITE)
    return canvas.finish()


def saturn_and_probe() -> Image.Image:
    canvas = night(800, 520, stars=120, seed=7)
    saturn = (370.0, 270.0)
    rings: tuple[tuple[float, Colour, float], ...] = ((285, "#a58f63", 20), (250, "#d8c08a", 40), (196, "#8f7d58", 14))
    for radius, colour, width in rings:
        canvas.half_ellipse(*saturn, (radius, radius * 0.27), (180, 360), colour, width * 0.5)
    canvas.circle(*saturn, 125, "#e6cf8f")
    for offset, half, colour in ((-78, 94, "#d3b873"), (-40, 115, "#d7bb76"), (84, 88, "#c2a660")):
        canvas.line([(saturn[0] - half, saturn[1] + offset), (saturn[0] + half, saturn[1] + offset)], colour, 11)
    for radius, colour, width in rings:
        canvas.half_ellipse(*saturn, (radius, radius * 0.27), (0, 180), colour, width * 0.5)
    canvas.circle(705, 120, 24, hue.ORANGE, "#f0b878", 4)
    canvas.text(705, 165, "Titan", 20, hue.WHITE)
    canvas.line(bend((20, 470), (430, 520), (600, 395)), hue.SKY_BLUE, 2.5)
    canvas.box(592, 372, 628, 412, hue.STEEL, 5)
    canvas.polygon(bend((578, 368), (610, 404), (642, 368)), hue.WHITE)
    canvas.ellipse(610, 368, 32, 7, hue.DISH, hue.GREY, 2)
    canvas.line([(628, 398), (690, 430)], hue.GREY, 3)
    canvas.circle(590, 402, 11, hue.YELLOW, hue.INK, 2)
    canvas.text(656, 372, "probe", 20, hue.WHITE, "lm")
    canvas.text(150, 46, "Saturn and a visitor", 30, hue.WHITE)
    return canvas.finish()
