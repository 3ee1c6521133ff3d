"""The code of the page on retrievers."""

from typing import Final

from tests.system.door import ROOT

PAGE: Final = ROOT / "docs" / "how-to" / "retrievers.md"
QUESTION: Final = "When did Phoenix land on Mars?"


def run_block(heading: str, address: str) -> None:
    """Run the code below a heading before the suite at an address."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    code = section.partition("```python\n")[2].partition("```")[0]
    exec(compile(code.replace("127.0.0.1:50051", address), str(PAGE), "exec"), {})
