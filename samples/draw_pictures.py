"""Draw the pictures of the sample corpus: the same on every run, and no picture of anybody else's.

Run `python -m samples.draw_pictures [FOLDER]` in the root of the project; FOLDER is `samples/pictures` when absent.
Needs pillow (the `dev` extra). A new picture is a function in `samples/drawing/` and a line in `PICTURES`.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from samples.drawing.diagrams import gravity_assist, mars_landings_timeline
from samples.drawing.heavens import moon_landing_sites, planet_sizes, saturn_and_probe
from samples.drawing.machines import deep_space_probe, mars_rover, moon_rocket

PICTURES: dict[str, Callable[[], Image.Image]] = {
    "moon-landing-sites.png": moon_landing_sites,
    "gravity-assist.png": gravity_assist,
    "planet-sizes.png": planet_sizes,
    "mars-rover.png": mars_rover,
    "deep-space-probe.png": deep_space_probe,
    "moon-rocket.png": moon_rocket,
    "saturn-and-probe.png": saturn_and_probe,
    "mars-landings-timeline.png": mars_landings_timeline,
}
"""File name -> the function that draws it."""


def draw_all(folder: Path) -> list[Path]:
    """Draw every picture into a folder, made when missing; returns the files in the order of `PICTURES`."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, draw in PICTURES.items():
        draw().save(folder / name, optimize=True)
        paths.append(folder / name)
    return paths


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
