"""Whether an area of settings may be set at all, found out without `libs.runtime.settings`, whose import takes long."""

import os
from pathlib import Path
from typing import Final

CONFIG_VARIABLE: Final = "PARLEY_CONFIG"
DEFAULT_CONFIG: Final = "parley.toml"
"""Both repeat constants of `libs.runtime.settings`, which takes half a second to import."""


def settings_path() -> Path:
    """Where the settings file is, if there is one."""
    return Path(os.environ.get(CONFIG_VARIABLE) or DEFAULT_CONFIG)


def may_be_set(area: str) -> bool:
    """Whether a variable of the area is set, or a settings file exists."""
    prefix = f"PARLEY_{area.upper()}_"
    return any(name.startswith(prefix) for name in os.environ) or settings_path().is_file()
