"""Pictures of what missions need: an antenna on the ground, a generator from inside."""

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas
from samples.drawing.scenes import hills, stones


def ground_antenna() -> Image.Image:
    canvas = Canvas(700, 580, "#2c4a7c")
    for y, colour in ((200, "#43649a"), (320, "#7391bd"), (420, "#b0b9cf")):
        canvas.box(0, y, 700, 580, colour)
    canvas.stars(60, seed=41)
    hills(canvas, [(0, 500), (180, 450), (360, 496), (560, 440), (700, 490)], "#6b6a45")
    stones(canvas, 500, ("#57562f", "#8a8a5c", "#46462a"), 90, seed=41)
    canvas.polygon([(250, 520), (450, 520), (410, 400), (290, 400)], hue.STEEL)
    for x in (290, 330, 370, 410):
        canvas.line([(x, 402), (x + (x - 350) * 0.4, 518)], hue.GREY, 3)
    canvas.box(270, 372, 430, 404, hue.SLATE, 5)
    canvas.polygon([(150, 190), (520, 90), (470, 330), (330, 372)], hue.DISH)
    for step in range(1, 7):
        share = step / 7
        canvas.line([(150 + 370 * share, 190 - 100 * share), (330 + 140 * share, 372 - 42 * share)], hue.GREY, 1.5)
    canvas.ellipse(336, 140, 192, 18, hue.STEEL)
    for x, y in ((190, 182), (340, 150), (490, 98)):
        canvas.line([(x, y), (270, 30)], hue.STEEL, 4)
    canvas.circle(270, 30, 14, hue.ORANGE)
    for radius in (40, 70, 100):
        canvas.half_ellipse(250, 10, (radius, radius), (200, 250), hue.YELLOW, 3)
    canvas.text(590, 360, "70 metres across", 20, hue.INK)
    return canvas.finish()


def generator_inside() -> Image.Image:
    canvas = Canvas(760, 480, hue.PAPER)
    canvas.box(190, 110, 570, 370, hue.SLATE, 18)
    canvas.box(210, 130, 550, 350, "#e6d9c3", 12)
    for x in range(230, 550, 20):
        canvas.line([(x, 136), (x + 10, 344)], "#c9b593", 3)
    canvas.box(280, 190, 480, 290, "#3d2a20", 8)
    for x in range(290, 470, 48):
        canvas.box(x, 200, x + 38, 280, "#e0592f", 6)
        canvas.box(x + 8, 212, x + 30, 268, hue.YELLOW, 4)
    for x in range(286, 480, 24):
        for top in (148, 298):
            canvas.box(x, top, x + 8, top + 34, hue.SKY_BLUE)
            canvas.box(x + 10, top, x + 18, top + 34, hue.SOLAR_CELLS)
    for x in range(200, 570, 46):
        canvas.box(x, 62, x + 12, 110, hue.GREY)
        canvas.box(x, 370, x + 12, 418, hue.GREY)
    canvas.line([(550, 240), (650, 240), (650, 300)], hue.INK, 4)
    canvas.circle(650, 318, 18, hue.YELLOW, hue.INK, 3)
    for words, at, to in (
        ("heat source", (90, 240), (296, 240)),
        ("thermocouples", (100, 330), (292, 316)),
        ("cooling fins", (96, 84), (204, 88)),
        ("current", (700, 370), (652, 338)),
    ):
        canvas.line([at, to], hue.INK, 1.5)
        canvas.box(at[0] - len(words) * 5, at[1] - 13, at[0] + len(words) * 5, at[1] + 13, hue.WHITE, 4)
        canvas.text(*at, words, 18, hue.INK)
    return canvas.finish()
