"""The recorded terminal of the README shows what the suite answers."""

import pytest

from tests.system.door import ROOT, Door
from tools.recording import record

pytestmark = pytest.mark.xdist_group("suite")


@pytest.mark.slow
def test_the_recording_is_up_to_date(door: Door) -> None:
    recording = (ROOT / "docs" / "images" / "terminal.svg").read_text(encoding="utf-8")
    assert record(f"127.0.0.1:{door.port}") == recording, "run `make recording`"
