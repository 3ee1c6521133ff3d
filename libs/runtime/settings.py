"""Settings: frozen values from the environment and one TOML file, with errors that name the variable.

An area of settings is a class: `class RetrieveSettings(AreaSettings, area="retrieve")`. Its field `passage_size` takes
the first of these values: an argument in code, the variable `PARLEY_RETRIEVE_PASSAGE_SIZE`, `passage_size` in the table
`[retrieve]` of the TOML file that `PARLEY_CONFIG` names (else of `./parley.toml`, if it exists), the default of the
class. Variables hold lists and tables as JSON; two underscores lead to a field of a nested model.
"""

import os
import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import SettingsError as SourceError

CONFIG_VARIABLE = "PARLEY_CONFIG"
DEFAULT_CONFIG = "parley.toml"


class SettingsError(Exception):
    """The settings are invalid; the message names each variable, what it must be and where its value came from."""


def _sendable(key: SecretStr) -> SecretStr:
    """Refuse a key that cannot be sent as a header."""
    if not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
        raise ValueError("must be printable ASCII")
    return key


HeaderKey = Annotated[SecretStr, AfterValidator(_sendable)]
"""A key that is sent in a header of HTTP requests."""

T = TypeVar("T")
TUNED: Final = "tuned"
Tuned = Annotated[T, TUNED]
"""The type of a setting whose value decides how good results are; the reference lists these apart."""


class AreaSettings(BaseSettings):
    """Base class of every area of settings; the module's docstring says where values come from.

    Raises:
        SettingsError: a value is missing or invalid, the TOML file can't be read, or its table has an unknown key.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        hide_input_in_errors=True,
        protected_namespaces=(),
    )
    area: ClassVar[str] = ""

    def __init_subclass__(cls, area: str = "", **config: Any) -> None:
        super().__init_subclass__(**config)
        if area:
            cls.area = area
            cls.model_config = SettingsConfigDict(**{**cls.model_config, "env_prefix": f"PARLEY_{area.upper()}_"})

    def __init__(self, **overrides: Any) -> None:
        try:
            super().__init__(**overrides)
        except ValidationError as error:
            # `from None`: pydantic's error contains the values, including secrets.
            raise SettingsError("\n".join(self._explain(overrides, e) for e in error.errors())) from None
        except SourceError as error:
            field = re.search(r'field "(\w+)"', str(error))
            name = self.variable(field[1]) if field else f"{self.area} settings"
            raise SettingsError(f'{name}: must be JSON, such as ["a", "b"] (from the environment)') from None

    @classmethod
    def load(cls, defaults: Mapping[str, Any] | None = None, **overrides: Any) -> Self:
        """Read the settings; `overrides` win over every source, `defaults` only over the defaults of the class."""
        settings = cls(**overrides)
        own = {field: value for field, value in (defaults or {}).items() if field not in settings.model_fields_set}
        return settings.model_copy(update=own)

    @classmethod
    def variable(cls, field: str) -> str:
        """The environment variable of a field."""
        return f"PARLEY_{cls.area}_{field}".upper()

    @classmethod
    def settings_customise_sources(  # type: ignore[override]  # pydantic gives the rest by name
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        **_: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, InitSettingsSource(settings_cls, _table(cls.area))

    @classmethod
    def _explain(cls, overrides: Mapping[str, Any], error: Any) -> str:
        """A pydantic error as one line: variable, expectation, origin; never the value, which may be a secret."""
        path = [str(part) for part in error["loc"]]
        field = path[0] if path else ""
        name = cls.variable("__".join(path)) if path else f"{cls.area} settings"
        if error["type"] == "missing":
            return f"{name}: must be set (or {'.'.join(path)} in [{cls.area}] of the TOML file)"
        if error["type"] == "extra_forbidden":
            return f"{name}: no such setting{cls._origin(field, overrides)}"
        return f"{name}: {_expectation(error)}{cls._origin(field, overrides)}"

    @classmethod
    def _origin(cls, field: str, overrides: Mapping[str, Any]) -> str:
        if field in overrides:
            return " (given by the program or its arguments)"
        if field in EnvSettingsSource(cls)():
            return " (from the environment)"
        if field in _table(cls.area):
            return f" (from {_config_file()}, table [{cls.area}])"
        return ""


def faults_in(error: ValidationError, whole: str) -> str:
    """What is wrong with a value, which is called `whole`, without the value: `role: must be 'read' or 'write'`."""
    faults = [(".".join(map(str, each["loc"])), _expectation(each)) for each in error.errors()]
    return "; ".join(f"{path or whole}: {expectation}" for path, expectation in faults)


def _expectation(fault: Any) -> str:
    return str(fault["msg"].replace("Input should be", "must be").removeprefix("Value error, "))


def _config_file() -> Path | None:
    """The TOML file in use: the one that the variable names, which must exist, else the default file if it exists."""
    if path := os.environ.get(CONFIG_VARIABLE):
        if not Path(path).is_file():
            raise SettingsError(f"{CONFIG_VARIABLE}: must name a file, and {path} is not one")
        return Path(path)
    return Path(DEFAULT_CONFIG) if Path(DEFAULT_CONFIG).is_file() else None


def _table(area: str) -> dict[str, Any]:
    """The table of an area in the TOML file; empty if there is none.

    Raises:
        SettingsError: the file cannot be read, or holds something else there.
    """
    file = _config_file()
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get(area, {}) if file else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"{file}: can't be read as TOML: {error}") from None
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: {area} must be a table: [{area}]")
    return table


class ServerSettings(AreaSettings, area="server"):
    """How a process serves: address, limits, timeouts, logs and telemetry."""

    host: str = "127.0.0.1"
    """Address to listen on. Loopback by default; a public one needs TLS (`PARLEY_TLS_CERTIFICATE`) or `insecure`."""
    port: int = Field(default=50051, ge=0, le=65535)  # as in gRPC's own examples
    """Port to listen on; 0 lets the system choose."""
    insecure: bool = False
    """Allow plain text on a public address."""
    max_concurrency: int = Field(default=256, ge=1)  # taste
    """Calls handled at once; others get RESOURCE_EXHAUSTED with a pushback. Health and reflection don't count, nor does
    a call while it waits for its client to read. Long-running calls (Ingest, Replay) have a quarter as many places of
    their own. At the gateway no caller holds more places than are left for the others."""
    client_seconds: float = Field(default=60.0, gt=0)  # taste
    """How long a call waits for its client: for its request, and until the client takes its answer, of a stream each
    message. Between the messages of an Ingest it is ten times as long, since a file takes time to read."""
    lame_duck_seconds: float = Field(default=1.0, ge=0)  # taste
    """Time after SIGTERM with calls still accepted while health is NOT_SERVING, so that load balancers notice."""
    drain_seconds: float = Field(default=30.0, ge=0)  # taste
    """Time after that for running calls to finish before they are cancelled."""
    liveness_address: str = ""
    """Address at which a thread of its own answers health checks about the event loop (`unix:/run/intent.sock`,
    `127.0.0.1:50061`), for whoever restarts a process that hangs; empty: none. `parley up` sets it itself."""
    max_connection_age_seconds: float = Field(default=0.0, ge=0)
    """Age at which clients are asked to reconnect, so that they find new replicas; 0: never. Calls on such a connection
    have ten minutes to finish, as long as the longest deadline."""
    reflection: bool = True
    """Serve reflection, v1 and v1alpha."""
    log_format: Literal["console", "json"] = "console"
    """Log lines for people or for machines; both go to standard error."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe level that is logged."""
    otlp_endpoint: str = ""
    """Endpoint for spans and metrics by OTLP over gRPC (`http://collector:4317`); empty: none."""
    prometheus_port: int = Field(default=0, ge=0, le=65535)
    """Port for Prometheus to scrape this process, on the same host address; 0: none. `parley up` gives it to the first
    gateway and the ports after it to the stages and further gateways, in the order of their own ports. The process that
    speaks HTTP has the port after those."""

    @classmethod
    def from_args(cls, arguments: Sequence[str] | None = None, **defaults: Any) -> Self:
        """Read the settings; `--host`, `--port`, `--insecure` of a command line (None: the process's own) come first.

        `defaults` are this process's own defaults: `ServerSettings.from_args(port=50052)`.
        """
        parser = ArgumentParser(description="Serves one part of parley. Everything else is set by PARLEY_* variables.")
        parser.add_argument("--host", help="address to listen on")
        parser.add_argument("--port", type=int, help="port to listen on; 0: the system chooses")
        parser.add_argument(
            "--insecure", action="store_true", default=None, help="allow plain text on a public address"
        )
        options = vars(parser.parse_args(arguments))
        return cls.load(defaults, **{name: value for name, value in options.items() if value is not None})
