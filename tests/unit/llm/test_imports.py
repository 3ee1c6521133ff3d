"""The library is loaded where a model is configured, and nowhere else."""

import subprocess
import sys

CODE = """
import asyncio, sys
import services.answer.stage, services.retrieve.embedding.http
from libs.llm.client import open_chat_model
from libs.llm.settings import LlmSettings
from libs.contracts.usage import Stage

async def opened(**settings):
    async with open_chat_model(LlmSettings(**settings), Stage.ANSWER):
        print("openai" in sys.modules, "aiohttp" in sys.modules)

asyncio.run(opened())
asyncio.run(opened(base_url="http://127.0.0.1:1/v1"))
"""


def test_openai_s_library_is_loaded_with_the_first_model() -> None:
    process = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert process.stdout.split() == ["False", "False", "True", "True"]
