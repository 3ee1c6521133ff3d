"""Pictures of what stands, lands or moves on the ground of another world."""

import random

from PIL import Image

from samples.drawing.canvas import (
    GREY,
    INK,
    MARIA,
    MOON,
    NIGHT,
    ORANGE,
    RUST,
    SAND,
    SKY_BLUE,
    WHITE,
    YELLOW,
    Canvas,
    Colour,
    bend,
)

STEEL = "#c9ced8"
MARS_SKY = "#e8b98a"


def stones(canvas: Canvas, top: float, colours: tuple[Colour, ...], count: int, seed: int) -> None:
    """Strew stones over the ground below `top`, larger towards the viewer, the same for the same seed."""
    chance = random.Random(seed)
    for number in range(count):
        share = number / count
        y = top + 8 + share * (canvas.height - top - 8)
        size = 2 + 9 * share * chance.uniform(0.5, 1.4)
        canvas.ellipse(chance.uniform(0, canvas.width), y, size * 1.7, size, chance.choice(colours))


def venus_surface() -> Image.Image:
    canvas = Canvas(760, 480, "#d98a3a")
    for y, colour in ((40, "#dd9747"), (90, "#e0a253"), (140, "#e3ad60")):
        canvas.box(0, y, 760, 480, colour)
    canvas.box(0, 210, 760, 480, "#8a5a2b")
    stones(canvas, 210, ("#6f4520", "#a06c38", "#7c5026", "#5b391a"), 190, seed=21)
    for x in range(40, 760, 120):
        canvas.polygon([(x, 420), (x + 70, 408), (x + 96, 440), (x + 20, 452)], "#9a6a3c")
    canvas.half_ellipse(380, 500, (250, 60), (190, 350), STEEL, 16)
    for x in range(190, 580, 42):
        canvas.polygon([(x, 452), (x + 22, 446), (x + 11, 470)], GREY)
    canvas.line([(520, 440), (612, 352)], STEEL, 7)
    canvas.box(600, 330, 640, 356, WHITE, 4)
    canvas.text(150, 60, "about 457 °C", 22, INK)
    return canvas.finish()


def airbag_landing() -> Image.Image:
    canvas = Canvas(780, 500, MARS_SKY)
    canvas.polygon([(0, 330), (180, 262), (330, 318), (520, 250), (780, 330), (780, 500), (0, 500)], "#c98355")
    canvas.box(0, 370, 780, 500, RUST)
    stones(canvas, 370, ("#8f3f1e", "#a04a26", "#7b3417"), 120, seed=22)
    canvas.line([*bend((30, 60), (110, 330), (190, 372)), *bend((190, 372), (300, 120), (420, 372))], WHITE, 2)
    canvas.line([*bend((420, 372), (500, 230), (580, 372)), *bend((580, 372), (625, 310), (670, 372))], WHITE, 2)
    for x, y, size in ((305, 238, 26), (668, 366, 34)):
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                canvas.circle(x + across * size * 0.8, y + down * size * 0.7, size * 0.62, "#e9dfcc", "#b9ac92", 2)
    canvas.half_ellipse(70, 52, (62, 34), (180, 360), ORANGE, 12)
    canvas.line([(14, 54), (70, 120), (126, 54)], INK, 1.5)
    canvas.text(500, 70, "airbags: it bounces until it lies still", 21, INK)
    return canvas.finish()


def sky_crane() -> Image.Image:
    canvas = Canvas(700, 600, MARS_SKY)
    canvas.polygon([(0, 470), (160, 400), (340, 460), (520, 390), (700, 450), (700, 600), (0, 600)], "#c98355")
    canvas.box(0, 500, 700, 600, RUST)
    stones(canvas, 500, ("#8f3f1e", "#a04a26", "#7b3417"), 90, seed=23)
    canvas.box(270, 96, 430, 150, STEEL, 10)
    canvas.box(250, 116, 450, 134, GREY, 4)
    for x in (236, 262, 438, 464):
        canvas.polygon([(x - 10, 132), (x + 10, 132), (x + 16, 160), (x - 16, 160)], INK)
        canvas.polygon([(x - 14, 160), (x + 14, 160), (x + (x - 350) * 0.12, 236)], YELLOW)
    for x, foot in ((310, 292), (350, 350), (390, 408)):
        canvas.line([(x, 150), (foot, 366)], INK, 2)
    canvas.line(bend((352, 150), (470, 260), (360, 366)), ORANGE, 2)
    canvas.box(280, 366, 420, 402, WHITE, 6)
    for x in (292, 350, 408):
        canvas.circle(x, 424, 20, INK)
        canvas.circle(x, 424, 10, GREY)
    canvas.box(334, 330, 342, 366, STEEL)
    canvas.box(320, 312, 358, 334, WHITE, 4)
    canvas.text(548, 118, "descent stage", 20, INK)
    canvas.text(500, 300, "cables", 20, INK)
    canvas.text(520, 400, "rover", 20, INK)
    return canvas.finish()


def mars_helicopter() -> Image.Image:
    canvas = Canvas(720, 520, MARS_SKY)
    canvas.polygon([(0, 360), (220, 290), (420, 350), (600, 300), (720, 350), (720, 520), (0, 520)], "#c98355")
    canvas.box(0, 400, 720, 520, RUST)
    stones(canvas, 400, ("#8f3f1e", "#a04a26", "#7b3417", "#b8663d"), 110, seed=24)
    canvas.ellipse(360, 470, 120, 12, "#7b3417")
    canvas.box(352, 70, 368, 240, INK)
    canvas.box(316, 62, 404, 76, "#27427a", 3)
    for y, tilt in ((124, 10), (166, -10)):
        canvas.polygon([(130, y - tilt), (350, y - 5), (350, y + 5), (130, y - tilt + 10)], "#3d4656")
        canvas.polygon([(370, y - 5), (590, y + tilt), (590, y + tilt + 10), (370, y + 5)], "#3d4656")
    canvas.box(316, 228, 404, 300, STEEL, 6)
    canvas.circle(360, 268, 14, INK)
    for x, foot in ((322, 210), (338, 290), (382, 430), (398, 510)):
        canvas.line([(x, 290), (foot, 408)], INK, 4)
    canvas.text(560, 100, "two rotors", 19, INK)
    canvas.text(500, 268, "camera", 19, INK)
    canvas.text(470, 52, "solar cells", 19, INK)
    return canvas.finish()


def moon_car() -> Image.Image:
    canvas = Canvas(760, 500, NIGHT)
    canvas.stars(120, seed=25)
    canvas.polygon([(0, 300), (170, 190), (330, 290), (520, 210), (760, 300)], MARIA)
    canvas.box(0, 290, 760, 500, MOON)
    stones(canvas, 290, ("#b9b6ad", "#c8c5bb", "#a3a098", "#e3e0d7"), 140, seed=25)
    canvas.box(190, 330, 590, 352, GREY, 4)
    for x in (230, 550):
        canvas.circle(x, 380, 52, INK)
        canvas.circle(x, 380, 42, "#7d8698")
        for step in range(-36, 40, 12):
            canvas.line([(x + step, 344), (x - step, 416)], STEEL, 1.5)
        canvas.half_ellipse(x, 372, (64, 58), (200, 340), ORANGE, 7)
    for x in (310, 410):
        canvas.box(x, 262, x + 14, 334, ORANGE, 3)
        canvas.box(x, 318, x + 62, 334, ORANGE, 3)
    canvas.line([(548, 330), (548, 170)], STEEL, 5)
    canvas.half_ellipse(548, 136, (72, 46), (0, 180), "#e8cf9a", 8)
    canvas.line([(548, 182), (548, 120)], STEEL, 3)
    canvas.box(478, 276, 520, 330, WHITE, 4)
    canvas.text(640, 108, "antenna", 20, WHITE)
    canvas.text(390, 470, "wheels of woven wire", 20, INK)
    return canvas.finish()


def moon_module() -> Image.Image:
    canvas = Canvas(640, 600, NIGHT)
    canvas.stars(120, seed=26)
    canvas.circle(90, 90, 44, SKY_BLUE)
    canvas.ellipse(80, 80, 22, 12, "#3aa387")
    canvas.box(0, 470, 640, 600, MOON)
    stones(canvas, 470, ("#b9b6ad", "#c8c5bb", "#a3a098"), 90, seed=26)
    canvas.polygon([(210, 340), (430, 340), (450, 380), (430, 420), (210, 420), (190, 380)], "#d9a441")
    for x in (230, 270, 310, 350, 390):
        canvas.line([(x, 342), (x + 14, 418)], "#a87722", 3)
    for x, foot in ((210, 120), (250, 232), (390, 408), (430, 520)):
        canvas.line([(x, 400), (foot, 500)], STEEL, 7)
        canvas.ellipse(foot, 504, 32, 8, "#b98d3a")
    canvas.polygon([(300, 420), (340, 420), (362, 462), (278, 462)], INK)
    canvas.polygon([(240, 336), (230, 250), (270, 200), (370, 200), (410, 250), (400, 336)], STEEL)
    canvas.polygon([(262, 232), (300, 232), (282, 264)], INK)
    canvas.polygon([(340, 232), (378, 232), (358, 264)], INK)
    canvas.box(296, 276, 344, 332, "#5b6372", 4)
    canvas.line([(370, 200), (420, 150)], STEEL, 4)
    canvas.half_ellipse(436, 136, (30, 18), (20, 200), WHITE, 6)
    canvas.line([(196, 380), (150, 490)], WHITE, 4)
    for step in range(6):
        canvas.line([(180 - step * 7, 410 + step * 15), (198 - step * 7, 410 + step * 15)], WHITE, 3)
    canvas.text(510, 250, "ascent stage", 20, WHITE)
    canvas.text(530, 372, "descent stage", 20, WHITE)
    return canvas.finish()


def bathtub_rover() -> Image.Image:
    canvas = Canvas(760, 500, NIGHT)
    canvas.stars(110, seed=27)
    canvas.box(0, 330, 760, 500, MOON)
    stones(canvas, 330, ("#b9b6ad", "#c8c5bb", "#a3a098", "#e3e0d7"), 120, seed=27)
    canvas.polygon([(220, 230), (520, 230), (480, 330), (260, 330)], STEEL)
    canvas.ellipse(370, 230, 152, 20, "#aab2c0")
    canvas.polygon([(520, 226), (660, 112), (650, 86), (506, 214)], "#27427a")
    for step in range(1, 6):
        canvas.line([(520 + step * 23, 226 - step * 19), (506 + step * 24, 214 - step * 21)], SKY_BLUE, 2)
    for x in (240, 326, 412, 498):
        canvas.circle(x, 362, 34, INK)
        canvas.circle(x, 362, 24, GREY)
        for step in (-16, 0, 16):
            canvas.line([(x + step, 342), (x - step, 382)], INK, 2)
    for x in (210, 236):
        canvas.circle(x, 268, 12, INK)
        canvas.circle(x, 268, 6, SKY_BLUE)
    canvas.line([(300, 226), (270, 120)], STEEL, 4)
    canvas.ellipse(266, 112, 26, 12, ORANGE, INK)
    canvas.text(640, 62, "lid with solar cells", 19, WHITE)
    canvas.text(120, 230, "cameras", 19, WHITE)
    canvas.text(140, 450, "eight wheels", 20, INK)
    return canvas.finish()


def quake_listener() -> Image.Image:
    canvas = Canvas(780, 520, MARS_SKY)
    canvas.box(0, 230, 780, 520, RUST)
    for row, colour in ((310, "#a14a27"), (390, "#8f3f1e"), (460, "#7b3417")):
        canvas.box(0, row, 780, 520, colour)
    stones(canvas, 232, ("#8f3f1e", "#a04a26", "#c46a42"), 80, seed=28)
    canvas.box(120, 170, 240, 206, STEEL, 6)
    for x in (90, 270):
        canvas.circle(x, 164, 48, "#27427a", SKY_BLUE, 3)
    for x, foot in ((130, 112), (230, 248)):
        canvas.line([(x, 204), (foot, 244)], INK, 5)
    canvas.half_ellipse(440, 240, (62, 52), (180, 360), WHITE, 18)
    canvas.line([*bend((240, 200), (320, 260), (384, 236))], INK, 3)
    canvas.box(574, 190, 610, 244, WHITE, 4)
    canvas.line([(592, 244), (592, 330)], INK, 6)
    for radius in (60, 110, 160, 210):
        canvas.half_ellipse(440, 500, (radius, radius * 0.9), (200, 340), YELLOW, 3)
    canvas.circle(440, 500, 10, ORANGE)
    canvas.text(452, 160, "seismometer under its dome", 19, INK)
    canvas.text(676, 214, "heat probe", 19, INK)
    canvas.text(600, 486, "marsquake", 20, WHITE)
    return canvas.finish()


def parachute_capsule() -> Image.Image:
    canvas = Canvas(600, 620, "#bcd9ee")
    for x, y, size in ((90, 150, 40), (150, 160, 52), (470, 90, 36), (520, 104, 46), (80, 420, 34)):
        canvas.ellipse(x, y, size * 1.5, size * 0.6, WHITE)
    canvas.polygon([(0, 560), (190, 520), (380, 556), (600, 510), (600, 620), (0, 620)], "#b9a86b")
    stones(canvas, 556, ("#8d7f4a", "#cdbf86", "#75693d"), 60, seed=29)
    for number, colour in enumerate((ORANGE, WHITE, ORANGE, WHITE, ORANGE, WHITE)):
        left = 170 + number * 44
        canvas.polygon([*bend((left, 190), (300, 40), (left + 44, 190), 20)], colour)
        canvas.half_ellipse(left + 22, 190, (22, 12), (180, 360), INK, 2)
        canvas.line([(left, 192), (300, 372)], INK, 1.5)
    canvas.line([(434, 192), (300, 372)], INK, 1.5)
    canvas.circle(300, 408, 40, "#3d4656")
    canvas.half_ellipse(300, 408, (40, 40), (20, 160), "#8a3522", 12)
    canvas.box(276, 384, 324, 402, SAND, 3)
    canvas.text(440, 408, "capsule with samples", 19, INK)
    return canvas.finish()
