"""Pictures of spacecraft and rockets."""

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, bend
from samples.drawing.scenes import night


def mars_rover() -> Image.Image:
    canvas = Canvas(760, 560, hue.MARS_SKY)
    canvas.circle(640, 90, 26, "#fbe9cf")
    canvas.polygon(
        [(0, 330), (150, 250), (270, 320), (430, 230), (600, 320), (760, 265), (760, 400), (0, 400)], hue.MARS_HILLS
    )
    canvas.box(0, 380, 760, 560, hue.RUST)
    for x, y, size in ((90, 520, 22), (650, 500, 30), (560, 540, 14), (200, 430, 9), (705, 430, 12), (30, 440, 14)):
        canvas.ellipse(x, y, size * 1.5, size, hue.RUST_SHADOW)
    for x in (250, 375, 500):
        canvas.circle(x, 455, 42, hue.INK)
        canvas.circle(x, 455, 25, hue.GREY)
        canvas.circle(x, 455, 7, hue.INK)
    canvas.line([(250, 455), (300, 372), (375, 400), (375, 455)], hue.SLATE, 10)
    canvas.line([(375, 400), (440, 380), (500, 455)], hue.SLATE, 10)
    canvas.box(225, 300, 515, 372, hue.WHITE, 8)
    canvas.box(225, 352, 515, 372, hue.STEEL, 6)
    canvas.polygon([(515, 310), (590, 285), (604, 330), (515, 352)], hue.SLATE)
    for offset in (0, 18, 36, 54):
        canvas.line([(528 + offset, 348 - offset * 0.3), (520 + offset, 306 - offset * 0.33)], hue.GREY, 4)
    canvas.box(290, 170, 306, 302, hue.STEEL)
    canvas.box(255, 128, 342, 178, hue.WHITE, 8)
    for x, radius in ((275, 9), (300, 13), (325, 8)):
        canvas.circle(x, 153, radius, hue.INK)
        canvas.circle(x - 2, 150, radius / 3, hue.SKY_BLUE)
    canvas.line([(232, 330), (150, 290), (105, 370)], hue.SLATE, 12)
    canvas.circle(150, 290, 13, hue.WHITE, hue.INK, 3)
    canvas.box(82, 362, 130, 410, hue.WHITE, 8)
    canvas.line([(106, 410), (106, 436)], hue.INK, 6)
    canvas.ellipse(440, 286, 34, 12, hue.STEEL, hue.INK, 2)
    for words, at, to in (
        ("camera head", (430, 150), (348, 153)),
        ("generator", (672, 262), (596, 300)),
        ("robotic arm", (84, 262), (128, 326)),
    ):
        canvas.line([at, to], hue.INK, 1.5)
        canvas.text(at[0], at[1] - 14, words, 20, hue.INK)
    return canvas.finish()


def deep_space_probe() -> Image.Image:
    canvas = night(760, 560, stars=140, seed=5)
    canvas.line([(380, 330), (690, 480)], hue.GREY, 6)
    for share in (0.62, 0.78, 0.94):
        x, y = 380 + 310 * share, 330 + 150 * share
        canvas.box(x - 24, y - 15, x + 24, y + 15, hue.ORANGE, 5)
    canvas.line([(380, 330), (95, 470)], hue.GREY, 4)
    canvas.circle(95, 470, 9, hue.WHITE)
    canvas.line([(330, 320), (160, 270)], hue.GREY, 5)
    canvas.box(118, 240, 178, 292, hue.STEEL, 6)
    canvas.circle(132, 266, 11, hue.SKY_BLUE, hue.INK, 3)
    canvas.polygon([(300, 300), (460, 300), (480, 372), (280, 372)], hue.STEEL)
    for x in (320, 360, 400, 440):
        canvas.line([(x, 300), (x + (x - 380) * 0.2, 372)], hue.GREY, 3)
    canvas.circle(352, 340, 22, hue.YELLOW, "#a8842a", 3)
    dish = bend((200, 150), (380, 430), (560, 150))
    canvas.polygon(dish, hue.DISH)
    canvas.ellipse(380, 150, 180, 34, hue.WHITE, hue.GREY, 3)
    canvas.ellipse(380, 154, 120, 20, "#dfe3ea")
    for x in (290, 380, 470):
        canvas.line([(x, 152), (380, 68)], hue.GREY, 4)
    canvas.circle(380, 66, 14, hue.ORANGE)
    for words, at, to in (
        ("dish antenna", (630, 120), (552, 160)),
        ("golden record", (385, 440), (357, 363)),
        ("cameras", (110, 205), (140, 238)),
        ("radioisotope generators", (530, 520), (600, 450)),
        ("magnetometer boom", (170, 515), (140, 452)),
    ):
        canvas.line([at, to], hue.SKY_BLUE, 1.5)
        canvas.box(at[0] - len(words) * 5.2, at[1] - 14, at[0] + len(words) * 5.2, at[1] + 14, hue.NIGHT, 4)
        canvas.text(*at, words, 18, hue.WHITE)
    return canvas.finish()


def moon_rocket() -> Image.Image:
    canvas = Canvas(560, 760, "#cfe3f2")
    canvas.circle(96, 110, 46, "#f3f1ea")
    canvas.circle(80, 98, 9, "#dcdad2")
    canvas.circle(112, 122, 12, "#dcdad2")
    canvas.box(0, 690, 560, 760, "#7d8a6a")
    canvas.box(60, 240, 130, 700, "#b5472f")
    for y in range(250, 690, 44):
        canvas.line([(64, y), (126, y + 40)], "#cfe3f2", 5)
        canvas.line([(126, y), (64, y + 40)], "#cfe3f2", 5)
    for y in (280, 390, 520):
        canvas.box(130, y, 205, y + 12, "#8a3522")
    for x, y, size in ((130, 690, 60), (215, 705, 70), (300, 700, 80), (390, 708, 66), (465, 695, 52), (280, 655, 60)):
        canvas.circle(x, y, size, "#f7f3ec")
    canvas.polygon([(242, 600), (318, 600), (300, 672), (280, 720), (260, 672)], hue.ORANGE)
    canvas.polygon([(256, 600), (304, 600), (290, 650), (280, 684), (270, 650)], hue.YELLOW)
    canvas.box(238, 400, 322, 585, hue.WHITE)
    canvas.box(246, 262, 314, 392, hue.WHITE)
    canvas.polygon([(238, 400), (322, 400), (314, 384), (246, 384)], hue.GREY)
    canvas.polygon([(246, 262), (314, 262), (304, 246), (256, 246)], hue.GREY)
    canvas.box(256, 180, 304, 246, hue.WHITE)
    canvas.polygon([(256, 180), (304, 180), (292, 146), (268, 146)], hue.STEEL)
    canvas.polygon([(268, 146), (292, 146), (280, 112)], hue.GREY)
    canvas.line([(280, 112), (280, 62)], hue.INK, 5)
    for left, top, right, bottom in (
        (238, 420, 280, 450),
        (280, 540, 322, 570),
        (246, 300, 280, 326),
        (256, 200, 280, 220),
    ):
        canvas.box(left, top, right, bottom, hue.INK)
    canvas.polygon([(238, 540), (214, 600), (238, 590)], hue.GREY)
    canvas.polygon([(322, 540), (346, 600), (322, 590)], hue.GREY)
    for x in (250, 270, 290, 310):
        canvas.polygon([(x - 7, 585), (x + 7, 585), (x + 10, 602), (x - 10, 602)], hue.INK)
    for words, y in (
        ("escape tower", 85),
        ("crew capsule", 162),
        ("third stage", 214),
        ("second stage", 326),
        ("first stage", 490),
    ):
        canvas.line([(328, y), (372, y)], hue.INK, 1.5)
        canvas.text(380, y, words, 20, hue.INK, "lm")
    return canvas.finish()
