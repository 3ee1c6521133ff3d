"""What the Java client's build generates its code from: the contracts as a descriptor set, and their names."""

from pathlib import Path
from typing import Final

from tools.client_package import write_without_rules
from tools.generate import ROOT

FOLDER: Final = ROOT / "build" / "clients"


def write_contracts(target: Path) -> None:
    """Write `contracts.binpb` and `contracts.binpb.names` into the folder, where `clients/java/pom.xml` looks for them.

    Raises:
        SystemExit: the contracts do not compile.
    """
    target.mkdir(parents=True, exist_ok=True)
    descriptors = target / "contracts.binpb"
    names = write_without_rules(descriptors)
    (target / "contracts.binpb.names").write_text(" ".join(names), encoding="utf-8")
