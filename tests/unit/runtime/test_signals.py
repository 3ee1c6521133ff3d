"""The main function of a process and the signals that cancel it."""

import asyncio
import os
import signal

import pytest

from libs.runtime.serving.process import run, until_signal


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "one after the other"])
def test_each_signal_ends_one_block(at_once: bool) -> None:
    ended: list[object] = []

    async def main() -> None:
        for signals in (2, 0) if at_once else (1, 1):
            with until_signal():
                for _ in range(signals):
                    os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.sleep(60)
            ended.append(signals)
        await asyncio.sleep(0)
        ended.append(None)

    run(main)
    assert ended == ([2, 0, None] if at_once else [1, 1, None])


def test_a_signal_outside_a_block_ends_the_process() -> None:
    ended: list[object] = []

    async def main() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")
        ended.append("went on")

    run(main)
    assert ended == ["cancelled"]
