"""What pages carry beside their pictures: logos, icons, a banner. They show nothing, and must stand beside nothing."""

from PIL import Image

from samples.drawing import hue
from samples.drawing.canvas import Canvas, bend
from samples.drawing.scenes import night


def archive_logo() -> Image.Image:
    canvas = Canvas(400, 400, hue.WHITE)
    canvas.circle(200, 200, 176, hue.NIGHT)
    canvas.line(bend((60, 290), (200, 60), (340, 290)), hue.RUST, 14)
    canvas.circle(262, 150, 16, hue.WHITE)
    canvas.text(200, 250, "MISSIONS", 52, hue.WHITE)
    return canvas.finish()


def orbit_mark() -> Image.Image:
    """A logo that does not say so: only its plainness tells."""
    canvas = Canvas(420, 420, hue.PAPER)
    canvas.circle(210, 210, 96, hue.SKY_BLUE)
    canvas.half_ellipse(210, 210, (180, 62), (0, 360), hue.INK, 12)
    canvas.circle(378, 188, 22, hue.ORANGE)
    return canvas.finish()


def word_mark() -> Image.Image:
    """Letters alone, as large as a picture."""
    canvas = Canvas(640, 260, hue.NIGHT)
    canvas.text(320, 120, "ORBIT & LANDING", 62, hue.WHITE)
    canvas.line([(70, 180), (570, 180)], hue.ORANGE, 6)
    return canvas.finish()


def menu_icon() -> Image.Image:
    canvas = Canvas(64, 64, hue.WHITE)
    for y in (18, 32, 46):
        canvas.line([(12, y), (52, y)], hue.INK, 6)
    return canvas.finish()


def rocket_icon() -> Image.Image:
    canvas = Canvas(128, 128, hue.WHITE)
    canvas.polygon([(64, 10), (86, 60), (80, 100), (48, 100), (42, 60)], hue.RUST)
    canvas.circle(64, 56, 10, hue.SKY_BLUE)
    canvas.polygon([(54, 100), (74, 100), (64, 122)], hue.ORANGE)
    return canvas.finish()


def page_banner() -> Image.Image:
    canvas = night(960, 120, stars=120, seed=51)
    canvas.text(480, 60, "Missions to the Moon and the planets", 40, hue.WHITE)
    return canvas.finish()
