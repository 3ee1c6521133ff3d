"""Names of places of a language, from its file `places.txt`."""

from functools import lru_cache
from importlib.resources import files

from libs.language.codes import names_files


@lru_cache(maxsize=64)
def place_names(language: str) -> frozenset[str]:
    """Places in lower case, without their articles; empty for a language without the file."""
    path = files(__package__) / "data" / language / "places.txt"
    if not names_files(language) or not path.is_file():
        return frozenset()
    lines = path.read_text(encoding="utf-8").splitlines()
    names = " ".join(line for line in lines if not line.startswith("#")).split()
    return frozenset(name.replace("_", " ") for name in names)
