"""A suite with a language model that says what a test tells it to, started once for the tests beside it."""

from collections.abc import Iterator

import pytest

from tests.fakes.scripted_llm import ScriptedLlm
from tests.system.language_model.lighthouse import LIGHTHOUSE
from tests.system.model_turns import Asker, asking_about

OBSERVATORY = """# The observatory of Cold Ridge

The observatory of Cold Ridge opened on 12 September 1931. Its mirror measures 2.5 metres across.
"""
DOCUMENTS = {"lighthouse.md": LIGHTHOUSE, "observatory.md": OBSERVATORY}
SETTINGS = {
    "PARLEY_LLM_MODEL": "scripted-1",
    "PARLEY_LLM_TIMEOUT_SECONDS": "2.5",
    "PARLEY_LLM_RETRIES": "0",
    "PARLEY_INTENT_ENGINE": "rules",  # what a model understands has tests of its own
}


@pytest.fixture(scope="session")
def asker(server: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    folder = tmp_path_factory.mktemp("model")
    with asking_about(folder, DOCUMENTS, SETTINGS | {"PARLEY_LLM_BASE_URL": server.base_url}, processes=2) as asker:
        yield asker
