"""Pictures of worlds seen from space, and of the ways to them."""

import random

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, Colour, bend
from samples.drawing.scenes import night


def ice_fountains() -> Image.Image:
    canvas = Canvas(720, 560, "#0a1022")
    canvas.stars(120, seed=31)
    canvas.circle(360, 190, 165, "#e8eef4")
    chance = random.Random(31)
    for _ in range(40):
        x, y = chance.uniform(240, 480), chance.uniform(70, 290)
        canvas.circle(x, y, chance.uniform(3, 13), "#cfd9e4", "#b9c6d4", 1.5)
    for x in (300, 340, 380, 420):
        canvas.line(bend((x - 14, 270), (x + 6, 310), (x - 4, 348), 12), "#7fa9c9", 4)
    for x in range(296, 430, 11):
        canvas.line(
            bend((x, 344), (360 + (x - 360) * 1.6, 420), (360 + (x - 360) * 2.6, 500 + x % 40), 16), hue.WHITE, 1.5
        )
    for _ in range(160):
        y = chance.uniform(360, 540)
        canvas.circle(360 + chance.gauss(0, 1) * (y - 300) * 0.45, y, chance.choice((1, 1.5, 2)), "#dbe8f2")
    canvas.text(590, 420, "fountains of ice", 21, hue.WHITE)
    canvas.text(590, 120, "Enceladus", 24, hue.WHITE)
    return canvas.finish()


def jupiter_and_moons() -> Image.Image:
    canvas = night(860, 480, stars=120, seed=32)
    canvas.circle(170, 240, 190, hue.SAND)
    bands: tuple[tuple[float, float, Colour], ...] = (
        (-130, 136, "#c9975e"),
        (-86, 168, "#e9cfa2"),
        (-40, 184, "#b97f4a"),
        (20, 188, "#f0dcb6"),
        (64, 178, "#b97f4a"),
        (116, 148, "#c9975e"),
    )
    for offset, half, colour in bands:
        canvas.line([(170 - half, 240 + offset), (170 + half, 240 + offset)], colour, 18)
        canvas.line(bend((170 - half, 246 + offset), (170, 236 + offset), (170 + half, 246 + offset)), "#a86e3c", 2)
    canvas.ellipse(240, 312, 38, 20, hue.RUST, "#e0b48a", 4)
    moons: tuple[tuple[str, float, float, Colour, Colour], ...] = (
        ("Io", 440, 30, "#e8d06a", "#b5472f"),
        ("Europa", 550, 26, "#e9e2d2", "#a07450"),
        ("Ganymede", 670, 43, "#a79b8b", "#6f665a"),
        ("Callisto", 790, 40, "#6d655c", "#b9b2a6"),
    )
    for seed, (name, x, radius, colour, spots) in enumerate(moons):
        canvas.circle(x, 230, radius, colour)
        chance = random.Random(seed)
        for _ in range(14):
            turn, far = chance.uniform(-0.7, 0.7), chance.uniform(-0.7, 0.7)
            canvas.circle(x + turn * radius, 230 + far * radius, chance.uniform(1.5, radius / 7), spots)
        canvas.text(x, 305, name, 20, hue.WHITE)
    return canvas.finish()


def heart_of_pluto() -> Image.Image:
    canvas = night(640, 560, stars=130, seed=33)
    canvas.circle(320, 290, 210, "#c9a987")
    chance = random.Random(33)
    for _ in range(90):
        turn, far = chance.uniform(-0.68, 0.68), chance.uniform(-0.68, 0.68)
        shade = chance.choice(("#a9825e", "#8a6244", "#d9bd9d"))
        canvas.ellipse(320 + turn * 210, 290 + far * 210, chance.uniform(4, 16), chance.uniform(3, 9), shade)
    canvas.polygon([(180, 380), (320, 420), (470, 390), (440, 460), (320, 496), (210, 464)], "#6b4630")
    canvas.circle(292, 300, 62, "#f3e9da")
    canvas.circle(392, 296, 60, "#efe3d0")
    canvas.polygon([(234, 322), (450, 318), (350, 436)], "#f1e6d6")
    for x in range(260, 430, 24):
        canvas.line(bend((x, 270), (x + 16, 300), (x - 4, 340), 10), "#dccbb2", 2)
    canvas.circle(566, 96, 46, "#9b948c")
    canvas.ellipse(566, 62, 26, 9, "#7b4a3a")
    canvas.text(566, 160, "Charon", 20, hue.WHITE)
    canvas.text(120, 60, "Pluto", 28, hue.WHITE)
    return canvas.finish()


def free_return() -> Image.Image:
    canvas = night(860, 460, stars=150, seed=34)
    canvas.circle(140, 240, 72, hue.SKY_BLUE)
    for x, y, size in ((120, 214, 26), (166, 262, 22), (128, 278, 14)):
        canvas.ellipse(x, y, size, size * 0.6, hue.GREEN)
    canvas.circle(710, 230, 44, hue.MOON)
    for x, y, size in ((700, 216, 11), (722, 240, 8), (702, 250, 6)):
        canvas.circle(x, y, size, hue.MARIA)
    out, back = bend((140, 160), (420, 60), (700, 300)), bend((700, 300), (820, 330), (800, 220))
    home = [*bend((800, 220), (770, 100), (640, 176)), *bend((640, 176), (420, 300), (152, 316))]
    canvas.line([*out, *back], hue.ORANGE, 4)
    canvas.line(home, hue.YELLOW, 4)
    canvas.arrow(out[28], out[33], hue.ORANGE, 4)
    canvas.arrow(home[86], home[92], hue.YELLOW, 4)
    canvas.circle(330, 128, 9, "#ff6a5a", hue.WHITE, 2)
    canvas.line([(336, 120), (372, 76)], hue.WHITE, 1.5)
    canvas.labels(20, hue.WHITE, (430, 64, "the tank bursts"), (430, 330, "home round the far side of the Moon"))
    canvas.labels(22, hue.WHITE, (140, 340, "Earth"), (710, 170, "Moon"))
    return canvas.finish()


def far_side_relay() -> Image.Image:
    canvas = night(860, 440, stars=140, seed=35)
    canvas.circle(100, 220, 60, hue.SKY_BLUE)
    canvas.ellipse(88, 200, 26, 15, hue.GREEN)
    canvas.ellipse(116, 244, 20, 11, hue.GREEN)
    canvas.circle(480, 220, 74, hue.MOON)
    chance = random.Random(35)
    for _ in range(34):
        x, y = 480 + chance.uniform(-48, 48), 220 + chance.uniform(-48, 48)
        canvas.circle(x, y, chance.uniform(2, 8), hue.MARIA, "#bdbab1", 1.5)
    canvas.half_ellipse(740, 220, (54, 130), (0, 360), hue.GREY, 2)
    canvas.box(726, 74, 760, 106, "#d9a441", 4)
    for x in (690, 774):
        canvas.box(x, 80, x + 26, 100, hue.SOLAR_CELLS)
    canvas.half_ellipse(743, 126, (30, 16), (180, 360), hue.WHITE, 6)
    canvas.line([(728, 104), (562, 206)], hue.ORANGE, 3)
    canvas.line([(724, 90), (164, 200)], hue.YELLOW, 3)
    canvas.box(548, 204, 566, 220, hue.WHITE, 3)
    canvas.labels(20, hue.WHITE, (606, 262, "lander"), (742, 46, "relay satellite"), (480, 326, "far side of the Moon"))
    canvas.text(100, 306, "Earth", 22, hue.WHITE)
    return canvas.finish()


def radar_mapping() -> Image.Image:
    canvas = night(760, 520, stars=80, seed=36)
    canvas.circle(380, 660, 470, "#d9a24e")
    canvas.circle(380, 690, 440, "#b97a35")
    chance = random.Random(36)
    for strip in range(9):
        left = 150 + strip * 36
        for y in range(300, 520, 9):
            shade = chance.choice(("#8d5a24", "#a66a2c", "#c98a45", "#74491c"))
            canvas.box(left, y, left + 33, y + 8, shade)
    canvas.half_ellipse(380, 660, (520, 520), (200, 340), hue.SKY_BLUE, 2)
    canvas.box(474, 118, 506, 160, hue.STEEL, 4)
    canvas.half_ellipse(462, 140, (16, 40), (90, 270), hue.WHITE, 8)
    for x in (420, 516):
        canvas.box(x, 128, x + 44, 148, hue.SOLAR_CELLS)
    canvas.polygon([(462, 164), (404, 330), (440, 334)], "#f2e3b0")
    canvas.labels(20, hue.WHITE, (620, 120, "radar orbiter"), (120, 250, "clouds"))
    canvas.text(600, 470, "strip by strip", 20, hue.INK)
    return canvas.finish()


def titan_descent() -> Image.Image:
    canvas = Canvas(560, 680, "#c98a3a")
    for number, colour in enumerate(("#b5772c", "#bf8033", "#cc9145", "#d8a45a", "#e0b36e")):
        canvas.box(0, number * 110, 560, 680, colour)
    canvas.box(0, 590, 560, 680, "#7a5230")
    chance = random.Random(37)
    for _ in range(60):
        x, y = chance.uniform(0, 560), chance.uniform(600, 680)
        canvas.ellipse(x, y, chance.uniform(4, 14), chance.uniform(3, 8), chance.choice(("#cbb48f", "#a58a63")))
    canvas.polygon([(60, 40), (120, 60), (96, 92), (50, 76)], "#5b4a3a")
    canvas.line([(120, 60), (170, 30)], hue.YELLOW, 5)
    for words, y, radius in (("heat shield", 66, 0.0), ("main parachute", 190, 46.0), ("small parachute", 330, 26.0)):
        canvas.text(370, y, words, 19, hue.INK)
        if radius:
            canvas.half_ellipse(150, y - 10, (radius, radius * 0.7), (180, 360), hue.WHITE, 10)
            canvas.line([(150 - radius, y - 8), (150, y + 44), (150 + radius, y - 8)], hue.INK, 1.5)
            canvas.ellipse(150, y + 52, 22, 11, hue.STEEL, hue.INK)
    canvas.ellipse(150, 588, 40, 16, hue.STEEL, hue.INK, 3)
    canvas.text(370, 560, "on the ground", 19, hue.INK)
    canvas.line([(150, 80), (150, 570)], hue.WHITE, 1.5)
    return canvas.finish()


def too_deep() -> Image.Image:
    canvas = night(780, 460, stars=120, seed=38)
    canvas.circle(400, 640, 420, "#e0a27a")
    canvas.circle(400, 640, 392, hue.RUST)
    chance = random.Random(38)
    for _ in range(46):
        canvas.circle(chance.uniform(180, 620), chance.uniform(330, 460), chance.uniform(3, 13), hue.RUST_SHADOW)
    canvas.line(bend((20, 60), (400, 190), (770, 90)), "#6fcf97", 4)
    canvas.line(bend((20, 90), (330, 290), (500, 236)), "#ff6a5a", 4)
    for turn in range(6):
        canvas.line([(500 + turn * 6, 236), (520 + turn * 9, 206 + turn * 12)], hue.YELLOW, 3)
    canvas.labels(19, hue.WHITE, (600, 70, "planned path"), (640, 260, "flown: too low"), (150, 330, "Mars"))
    return canvas.finish()
