"""`parley models`: convert the packaged model, in a process of its own; download others from a hub into a folder."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from cli.connection.gateway_connection import CommandError, complaining
from cli.view.output import tell

HUB: Final = "https://huggingface.co"
FILES: Final = ("*.json", "model.onnx", "model.onnx_data", "onnx/model.onnx", "onnx/model.onnx_data")
"""Files of an ONNX folder: configuration, tokenizer, the graph and, for large models, its external weights."""
GRAPHS: Final = ("model.onnx", "onnx/model.onnx")
ANSWER_SECONDS: Final = 10.0
"""Timeout for a response of the hub (the default of the hub's own library)."""

CONVERTER: Final = "services.retrieve.embedding.packaged"
"""The module of the retrieve stage that converts its packaged model."""

app = typer.Typer(help="Convert and download embedding models.", no_args_is_help=True)


@app.command()
def convert(
    precision: Annotated[Literal["int8", "float32"], typer.Option(help="Precision of the weights.")] = "int8",
) -> None:
    """Convert the packaged embedding model for this Python environment, once after an installation."""
    raise typer.Exit(subprocess.run([sys.executable, "-m", CONVERTER, "--precision", precision]).returncode)


@app.command()
def pull(
    name: Annotated[str, typer.Argument(help="A model with an ONNX export, such as BAAI/bge-small-en-v1.5.")],
    data: Annotated[
        Path,
        typer.Option(
            help="The suite's data folder; the model is stored in its subfolder models.", envvar="PARLEY_RETRIEVE_DATA"
        ),
    ] = Path(".parley"),
    hub: Annotated[str, typer.Option(help="URL of the model hub.", envvar="HF_ENDPOINT")] = HUB,
) -> None:
    """Download the ONNX export of a model from the Hugging Face hub."""
    folder = data / "models" / name.rsplit("/", 1)[-1]
    if folder.exists():
        tell(f"{folder} already exists.")
    else:
        partial_folder = folder.with_name(f".{folder.name}.begun")  # kept after a failure: the next try resumes
        with complaining():
            _download(name, partial_folder, hub)
            shutil.rmtree(partial_folder / ".cache", ignore_errors=True)
            partial_folder.rename(folder)
        tell(f"{name} was saved to {folder}.")
    tell(f"To embed with it, set PARLEY_RETRIEVE_EMBEDDER={folder.name} and ingest the documents again.")


def _download(name: str, folder: Path, hub: str) -> None:
    """Download a model's ONNX export.

    Raises:
        CommandError: the hub cannot be reached, does not have the model, or has no ONNX export of it.
        OSError: the folder cannot be written.
    """
    from huggingface_hub import snapshot_download  # imported here: it takes half a second
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()
    try:
        snapshot_download(name, endpoint=hub, local_dir=folder, allow_patterns=list(FILES), etag_timeout=ANSWER_SECONDS)
    except HFValidationError:
        raise CommandError(f"The name {name!r} is not a model name, such as PUBLISHER/MODEL.") from None
    except (LocalEntryNotFoundError, HfHubHTTPError, ConnectionError) as error:
        raise CommandError(_why(name, hub, error)) from None
    if not (folder / "tokenizer.json").is_file() or not any((folder / graph).is_file() for graph in GRAPHS):
        shutil.rmtree(folder)
        raise CommandError(f"The model {name} has no ONNX export: model.onnx and tokenizer.json are needed.")


def _why(name: str, hub: str, error: Exception) -> str:
    """Explain why a download failed."""
    response: Any = getattr(error, "response", None) or getattr(error.__cause__, "response", None)
    if response is None:
        return f"The hub {hub} cannot be reached; fetching a model needs the network ({error.__cause__ or error})."
    if response.status_code in (401, 403, 404):
        return f"The hub {hub} has no model {name} that is open to all ({response.status_code})."
    return f"The hub {hub} answered {response.status_code} for {name}."
