"""Draw the pictures of the sample corpus: the same on every run, and no picture of anybody else's.

Run `python -m samples.draw_pictures [FOLDER]` in the root of the project; FOLDER is `samples/corpus/pictures` when
absent.
Needs pillow (the `dev` extra). A new picture is a function in `samples/drawing/` and a line in
`ILLUSTRATIONS`; what shows nothing goes to `MARKS`.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from samples.drawing import equipment, grounds, marks, skies
from samples.drawing.diagrams import gravity_assist, mars_landings_timeline
from samples.drawing.heavens import moon_landing_sites, planet_sizes, saturn_and_probe
from samples.drawing.machines import deep_space_probe, mars_rover, moon_rocket

ILLUSTRATIONS: dict[str, Callable[[], Image.Image]] = {
    "moon-landing-sites.png": moon_landing_sites,
    "gravity-assist.png": gravity_assist,
    "planet-sizes.png": planet_sizes,
    "mars-rover.png": mars_rover,
    "deep-space-probe.png": deep_space_probe,
    "moon-rocket.png": moon_rocket,
    "saturn-and-probe.png": saturn_and_probe,
    "mars-landings-timeline.png": mars_landings_timeline,
    "venus-surface.png": grounds.venus_surface,
    "airbag-landing.png": grounds.airbag_landing,
    "sky-crane.png": grounds.sky_crane,
    "mars-helicopter.png": grounds.mars_helicopter,
    "moon-car.png": grounds.moon_car,
    "moon-module.png": grounds.moon_module,
    "bathtub-rover.png": grounds.bathtub_rover,
    "quake-listener.png": grounds.quake_listener,
    "parachute-capsule.png": grounds.parachute_capsule,
    "ice-fountains.png": skies.ice_fountains,
    "jupiter-and-moons.png": skies.jupiter_and_moons,
    "heart-of-pluto.png": skies.heart_of_pluto,
    "free-return.png": skies.free_return,
    "far-side-relay.png": skies.far_side_relay,
    "radar-mapping.png": skies.radar_mapping,
    "titan-descent.png": skies.titan_descent,
    "too-deep.png": skies.too_deep,
    "ground-antenna.png": equipment.ground_antenna,
    "generator-inside.png": equipment.generator_inside,
}
"""File name -> the function that draws it."""
MARKS: dict[str, Callable[[], Image.Image]] = {
    "archive-logo.png": marks.archive_logo,
    "orbit-mark.png": marks.orbit_mark,
    "word-mark.png": marks.word_mark,
    "menu-icon.png": marks.menu_icon,
    "rocket-icon.png": marks.rocket_icon,
    "page-banner.png": marks.page_banner,
}
"""Logos, icons and a banner, as pages carry them: they must never stand beside an answer."""
PICTURES = ILLUSTRATIONS | MARKS
COLOURS = 128
"""Of a stored picture: a third of the size, and nobody sees it."""


def draw_all(folder: Path) -> list[Path]:
    """Draw every picture into a folder, made when missing; returns the files in the order of `PICTURES`."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, draw in PICTURES.items():
        draw().quantize(COLOURS).save(folder / name, optimize=True)
        paths.append(folder / name)
    return paths


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m samples.draw_pictures", description="Draws the samples' pictures.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent / "corpus" / "pictures")
    draw_all(parser.parse_args().folder)
