"""The glossary names places that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
CONDENSE = ROOT / "services" / "decompose" / "condense"
PLACES = sorted({place for place in re.findall(r"`([\w/]+(?:\.py|/))`", GLOSSARY)})
"""Files and folders; a short path is one of decompose, a bare file one of condense."""


def test_every_place_exists() -> None:
    folders = (ROOT, CONDENSE.parent, CONDENSE)
    assert [place for place in PLACES if not any((folder / place).exists() for folder in folders)] == []


def test_each_term_is_listed_once() -> None:
    terms = [row.split("|")[1].strip() for row in GLOSSARY.splitlines() if row.startswith("| ")]
    terms = [term for term in terms if term != "Term"]
    assert len(terms) > 40
    assert sorted(set(terms)) == sorted(terms)
