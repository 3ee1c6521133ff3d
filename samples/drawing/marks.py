"""What pages carry beside their pictures: logos, icons, a banner. They show nothing, and must stand beside nothing."""

from PIL import Image

from samples.drawing.canvas import INK, NIGHT, ORANGE, PAPER, RUST, SKY_BLUE, WHITE, Canvas, bend


def archive_logo() -> Image.Image:
    canvas = Canvas(400, 400, WHITE)
    canvas.circle(200, 200, 176, NIGHT)
    canvas.line(bend((60, 290), (200, 60), (340, 290)), RUST, 14)
    canvas.circle(262, 150, 16, WHITE)
    canvas.text(200, 250, "MISSIONS", 52, WHITE)
    return canvas.finish()


def orbit_mark() -> Image.Image:
    """A logo that does not say so: only its plainness tells."""
    canvas = Canvas(420, 420, PAPER)
    canvas.circle(210, 210, 96, SKY_BLUE)
    canvas.half_ellipse(210, 210, (180, 62), (0, 360), INK, 12)
    canvas.circle(378, 188, 22, ORANGE)
    return canvas.finish()


def word_mark() -> Image.Image:
    """Letters alone, as large as a picture."""
    canvas = Canvas(640, 260, NIGHT)
    canvas.text(320, 120, "ORBIT & LANDING", 62, WHITE)
    canvas.line([(70, 180), (570, 180)], ORANGE, 6)
    return canvas.finish()


def menu_icon() -> Image.Image:
    canvas = Canvas(64, 64, WHITE)
    for y in (18, 32, 46):
        canvas.line([(12, y), (52, y)], INK, 6)
    return canvas.finish()


def rocket_icon() -> Image.Image:
    canvas = Canvas(128, 128, WHITE)
    canvas.polygon([(64, 10), (86, 60), (80, 100), (48, 100), (42, 60)], RUST)
    canvas.circle(64, 56, 10, SKY_BLUE)
    canvas.polygon([(54, 100), (74, 100), (64, 122)], ORANGE)
    return canvas.finish()


def page_banner() -> Image.Image:
    canvas = Canvas(960, 120, NIGHT)
    canvas.stars(120, seed=51)
    canvas.text(480, 60, "Missions to the Moon and the planets", 40, WHITE)
    return canvas.finish()
