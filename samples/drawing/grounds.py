"""Pictures of what stands, lands or moves on the ground of another world."""

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, bend
from samples.drawing.scenes import ground, hills, night, stones


def venus_surface() -> Image.Image:
    canvas = Canvas(760, 480, "#d98a3a")
    for y, colour in ((40, "#dd9747"), (90, "#e0a253"), (140, "#e3ad60")):
        canvas.box(0, y, 760, 480, colour)
    ground(canvas, 210, "#8a5a2b", ("#6f4520", "#a06c38", "#7c5026", "#5b391a"), 190, seed=21)
    for x in range(40, 760, 120):
        canvas.polygon([(x, 420), (x + 70, 408), (x + 96, 440), (x + 20, 452)], "#9a6a3c")
    canvas.half_ellipse(380, 500, (250, 60), (190, 350), hue.STEEL, 16)
    for x in range(190, 580, 42):
        canvas.polygon([(x, 452), (x + 22, 446), (x + 11, 470)], hue.GREY)
    canvas.line([(520, 440), (612, 352)], hue.STEEL, 7)
    canvas.box(600, 330, 640, 356, hue.WHITE, 4)
    canvas.text(150, 60, "about 457 °C", 22, hue.INK)
    return canvas.finish()


def airbag_landing() -> Image.Image:
    canvas = Canvas(780, 500, hue.MARS_SKY)
    hills(canvas, [(0, 330), (180, 262), (330, 318), (520, 250), (780, 330)], hue.MARS_HILLS)
    ground(canvas, 370, hue.RUST, hue.MARS_STONES, 120, seed=22)
    canvas.line([*bend((30, 60), (110, 330), (190, 372)), *bend((190, 372), (300, 120), (420, 372))], hue.WHITE, 2)
    canvas.line([*bend((420, 372), (500, 230), (580, 372)), *bend((580, 372), (625, 310), (670, 372))], hue.WHITE, 2)
    for x, y, size in ((305, 238, 26), (668, 366, 34)):
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                canvas.circle(x + across * size * 0.8, y + down * size * 0.7, size * 0.62, "#e9dfcc", "#b9ac92", 2)
    canvas.half_ellipse(70, 52, (62, 34), (180, 360), hue.ORANGE, 12)
    canvas.line([(14, 54), (70, 120), (126, 54)], hue.INK, 1.5)
    canvas.text(500, 70, "airbags: it bounces until it lies still", 21, hue.INK)
    return canvas.finish()


def sky_crane() -> Image.Image:
    canvas = Canvas(700, 600, hue.MARS_SKY)
    hills(canvas, [(0, 470), (160, 400), (340, 460), (520, 390), (700, 450)], hue.MARS_HILLS)
    ground(canvas, 500, hue.RUST, hue.MARS_STONES, 90, seed=23)
    canvas.box(270, 96, 430, 150, hue.STEEL, 10)
    canvas.box(250, 116, 450, 134, hue.GREY, 4)
    for x in (236, 262, 438, 464):
        canvas.polygon([(x - 10, 132), (x + 10, 132), (x + 16, 160), (x - 16, 160)], hue.INK)
        canvas.polygon([(x - 14, 160), (x + 14, 160), (x + (x - 350) * 0.12, 236)], hue.YELLOW)
    for x, foot in ((310, 292), (350, 350), (390, 408)):
        canvas.line([(x, 150), (foot, 366)], hue.INK, 2)
    canvas.line(bend((352, 150), (470, 260), (360, 366)), hue.ORANGE, 2)
    canvas.box(280, 366, 420, 402, hue.WHITE, 6)
    for x in (292, 350, 408):
        canvas.circle(x, 424, 20, hue.INK)
        canvas.circle(x, 424, 10, hue.GREY)
    canvas.box(334, 330, 342, 366, hue.STEEL)
    canvas.box(320, 312, 358, 334, hue.WHITE, 4)
    canvas.labels(20, hue.INK, (548, 118, "descent stage"), (500, 300, "cables"), (520, 400, "rover"))
    return canvas.finish()


def mars_helicopter() -> Image.Image:
    canvas = Canvas(720, 520, hue.MARS_SKY)
    hills(canvas, [(0, 360), (220, 290), (420, 350), (600, 300), (720, 350)], hue.MARS_HILLS)
    ground(canvas, 400, hue.RUST, (*hue.MARS_STONES, "#b8663d"), 110, seed=24)
    canvas.ellipse(360, 470, 120, 12, hue.RUST_DARK)
    canvas.box(352, 70, 368, 240, hue.INK)
    canvas.box(316, 62, 404, 76, hue.SOLAR_CELLS, 3)
    for y, tilt in ((124, 10), (166, -10)):
        canvas.polygon([(130, y - tilt), (350, y - 5), (350, y + 5), (130, y - tilt + 10)], "#3d4656")
        canvas.polygon([(370, y - 5), (590, y + tilt), (590, y + tilt + 10), (370, y + 5)], "#3d4656")
    canvas.box(316, 228, 404, 300, hue.STEEL, 6)
    canvas.circle(360, 268, 14, hue.INK)
    for x, foot in ((322, 210), (338, 290), (382, 430), (398, 510)):
        canvas.line([(x, 290), (foot, 408)], hue.INK, 4)
    canvas.labels(19, hue.INK, (560, 100, "two rotors"), (500, 268, "camera"), (470, 52, "solar cells"))
    return canvas.finish()


def moon_car() -> Image.Image:
    canvas = night(760, 500, stars=120, seed=25)
    canvas.polygon([(0, 300), (170, 190), (330, 290), (520, 210), (760, 300)], hue.MARIA)
    ground(canvas, 290, hue.MOON, (*hue.MOON_STONES, "#e3e0d7"), 140, seed=25)
    canvas.box(190, 330, 590, 352, hue.GREY, 4)
    for x in (230, 550):
        canvas.circle(x, 380, 52, hue.INK)
        canvas.circle(x, 380, 42, "#7d8698")
        for step in range(-36, 40, 12):
            canvas.line([(x + step, 344), (x - step, 416)], hue.STEEL, 1.5)
        canvas.half_ellipse(x, 372, (64, 58), (200, 340), hue.ORANGE, 7)
    for x in (310, 410):
        canvas.box(x, 262, x + 14, 334, hue.ORANGE, 3)
        canvas.box(x, 318, x + 62, 334, hue.ORANGE, 3)
    canvas.line([(548, 330), (548, 170)], hue.STEEL, 5)
    canvas.half_ellipse(548, 136, (72, 46), (0, 180), "#e8cf9a", 8)
    canvas.line([(548, 182), (548, 120)], hue.STEEL, 3)
    canvas.box(478, 276, 520, 330, hue.WHITE, 4)
    canvas.text(640, 108, "antenna", 20, hue.WHITE)
    canvas.text(390, 470, "wheels of woven wire", 20, hue.INK)
    return canvas.finish()


def moon_module() -> Image.Image:
    canvas = night(640, 600, stars=120, seed=26)
    canvas.circle(90, 90, 44, hue.SKY_BLUE)
    canvas.ellipse(80, 80, 22, 12, hue.GREEN)
    ground(canvas, 470, hue.MOON, hue.MOON_STONES, 90, seed=26)
    canvas.polygon([(210, 340), (430, 340), (450, 380), (430, 420), (210, 420), (190, 380)], "#d9a441")
    for x in (230, 270, 310, 350, 390):
        canvas.line([(x, 342), (x + 14, 418)], "#a87722", 3)
    for x, foot in ((210, 120), (250, 232), (390, 408), (430, 520)):
        canvas.line([(x, 400), (foot, 500)], hue.STEEL, 7)
        canvas.ellipse(foot, 504, 32, 8, "#b98d3a")
    canvas.polygon([(300, 420), (340, 420), (362, 462), (278, 462)], hue.INK)
    canvas.polygon([(240, 336), (230, 250), (270, 200), (370, 200), (410, 250), (400, 336)], hue.STEEL)
    canvas.polygon([(262, 232), (300, 232), (282, 264)], hue.INK)
    canvas.polygon([(340, 232), (378, 232), (358, 264)], hue.INK)
    canvas.box(296, 276, 344, 332, hue.SLATE, 4)
    canvas.line([(370, 200), (420, 150)], hue.STEEL, 4)
    canvas.half_ellipse(436, 136, (30, 18), (20, 200), hue.WHITE, 6)
    canvas.line([(196, 380), (150, 490)], hue.WHITE, 4)
    for step in range(6):
        canvas.line([(180 - step * 7, 410 + step * 15), (198 - step * 7, 410 + step * 15)], hue.WHITE, 3)
    canvas.labels(20, hue.WHITE, (510, 250, "ascent stage"), (530, 372, "descent stage"))
    return canvas.finish()


def bathtub_rover() -> Image.Image:
    canvas = night(760, 500, stars=110, seed=27)
    ground(canvas, 330, hue.MOON, (*hue.MOON_STONES, "#e3e0d7"), 120, seed=27)
    canvas.polygon([(220, 230), (520, 230), (480, 330), (260, 330)], hue.STEEL)
    canvas.ellipse(370, 230, 152, 20, "#aab2c0")
    canvas.polygon([(520, 226), (660, 112), (650, 86), (506, 214)], hue.SOLAR_CELLS)
    for step in range(1, 6):
        canvas.line([(520 + step * 23, 226 - step * 19), (506 + step * 24, 214 - step * 21)], hue.SKY_BLUE, 2)
    for x in (240, 326, 412, 498):
        canvas.circle(x, 362, 34, hue.INK)
        canvas.circle(x, 362, 24, hue.GREY)
        for step in (-16, 0, 16):
            canvas.line([(x + step, 342), (x - step, 382)], hue.INK, 2)
    for x in (210, 236):
        canvas.circle(x, 268, 12, hue.INK)
        canvas.circle(x, 268, 6, hue.SKY_BLUE)
    canvas.line([(300, 226), (270, 120)], hue.STEEL, 4)
    canvas.ellipse(266, 112, 26, 12, hue.ORANGE, hue.INK)
    canvas.labels(19, hue.WHITE, (640, 62, "lid with solar cells"), (120, 230, "cameras"))
    canvas.text(140, 450, "eight wheels", 20, hue.INK)
    return canvas.finish()


def quake_listener() -> Image.Image:
    canvas = Canvas(780, 520, hue.MARS_SKY)
    canvas.box(0, 230, 780, 520, hue.RUST)
    for row, colour in ((310, "#a14a27"), (390, hue.RUST_SHADOW), (460, hue.RUST_DARK)):
        canvas.box(0, row, 780, 520, colour)
    stones(canvas, 232, (hue.RUST_SHADOW, "#a04a26", "#c46a42"), 80, seed=28)
    canvas.box(120, 170, 240, 206, hue.STEEL, 6)
    for x in (90, 270):
        canvas.circle(x, 164, 48, hue.SOLAR_CELLS, hue.SKY_BLUE, 3)
    for x, foot in ((130, 112), (230, 248)):
        canvas.line([(x, 204), (foot, 244)], hue.INK, 5)
    canvas.half_ellipse(440, 240, (62, 52), (180, 360), hue.WHITE, 18)
    canvas.line([*bend((240, 200), (320, 260), (384, 236))], hue.INK, 3)
    canvas.box(574, 190, 610, 244, hue.WHITE, 4)
    canvas.line([(592, 244), (592, 330)], hue.INK, 6)
    for radius in (60, 110, 160, 210):
        canvas.half_ellipse(440, 500, (radius, radius * 0.9), (200, 340), hue.YELLOW, 3)
    canvas.circle(440, 500, 10, hue.ORANGE)
    canvas.labels(19, hue.INK, (452, 160, "seismometer under its dome"), (676, 214, "heat probe"))
    canvas.text(600, 486, "marsquake", 20, hue.WHITE)
    return canvas.finish()


def parachute_capsule() -> Image.Image:
    canvas = Canvas(600, 620, "#bcd9ee")
    for x, y, size in ((90, 150, 40), (150, 160, 52), (470, 90, 36), (520, 104, 46), (80, 420, 34)):
        canvas.ellipse(x, y, size * 1.5, size * 0.6, hue.WHITE)
    hills(canvas, [(0, 560), (190, 520), (380, 556), (600, 510)], "#b9a86b")
    stones(canvas, 556, ("#8d7f4a", "#cdbf86", "#75693d"), 60, seed=29)
    for number, colour in enumerate((hue.ORANGE, hue.WHITE, hue.ORANGE, hue.WHITE, hue.ORANGE, hue.WHITE)):
        left = 170 + number * 44
        canvas.polygon([*bend((left, 190), (300, 40), (left + 44, 190), 20)], colour)
        canvas.half_ellipse(left + 22, 190, (22, 12), (180, 360), hue.INK, 2)
        canvas.line([(left, 192), (300, 372)], hue.INK, 1.5)
    canvas.line([(434, 192), (300, 372)], hue.INK, 1.5)
    canvas.circle(300, 408, 40, "#3d4656")
    canvas.half_ellipse(300, 408, (40, 40), (20, 160), "#8a3522", 12)
    canvas.box(276, 384, 324, 402, hue.SAND, 3)
    canvas.text(440, 408, "capsule with samples", 19, hue.INK)
    return canvas.finish()
