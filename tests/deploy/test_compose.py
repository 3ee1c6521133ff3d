"""The compose file as Compose's own reader renders it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from doors.settings import DoorsSettings
from gateway.identity.settings import AuthSettings
from tests.deploy.tools import DEPLOY, ROOT, run
from tests.fakes.http_server import QuietHandler, http_server

SUITE = {"gateway", "intent", "decompose", "retrieve", "answer", "timeline"}
PROFILES = {
    "": set(),
    "full": {"elasticsearch", "milvus"},
    "monitoring": {"collector", "prometheus", "grafana"},
    "public": {"envoy"},
    "web": {"http"},
    "full,monitoring,public": {"elasticsearch", "milvus", "collector", "prometheus", "grafana", "envoy"},
}


def rendered() -> dict[str, Any]:
    process = run("compose-render", "docker-compose.yml", cwd=ROOT)
    assert process.returncode == 0, process.stdout + process.stderr
    project: dict[str, Any] = yaml.safe_load(process.stdout)
    return project


@pytest.mark.parametrize("profiles", PROFILES)
def test_a_profile_adds_its_services(profiles: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOSE_PROFILES", profiles)
    assert rendered()["services"].keys() == SUITE | PROFILES[profiles]


def auth_settings(monkeypatch: pytest.MonkeyPatch) -> AuthSettings:
    """How the gateway asks its callers, as it reads it."""
    for name, value in rendered()["services"]["gateway"]["environment"].items():
        if name.startswith("PARLEY_AUTH_"):
            monkeypatch.setenv(name, value or "")
    settings = AuthSettings.load()
    settings.check()
    return settings


def test_the_gateway_asks_nobody_for_credentials_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert auth_settings(monkeypatch) == AuthSettings.model_construct()
    assert [each["target"] for each in rendered()["services"]["gateway"]["volumes"]] == ["/data", "/auth"]


def test_it_asks_for_keys_and_tokens_as_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    variables = {
        "PARLEY_AUTH_FOLDER": str(tmp_path),
        "PARLEY_AUTH_KEYS": "/auth/callers.keys",
        "PARLEY_AUTH_JWKS": "https://login.example.org/keys",
        "PARLEY_AUTH_ISSUER": "https://login.example.org",
        "PARLEY_AUTH_AUDIENCE": '["parley"]',
        "PARLEY_AUTH_GROUP_CLAIMS": '["groups"]',
        "PARLEY_AUTH_ANONYMOUS": "true",
    }
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    (folder,) = [each for each in rendered()["services"]["gateway"]["volumes"] if each["target"] == "/auth"]
    assert (folder["type"], folder["source"], folder["read_only"]) == ("bind", str(tmp_path), True)
    assert auth_settings(monkeypatch) == AuthSettings.model_construct(
        keys=Path("/auth/callers.keys"),
        jwks="https://login.example.org/keys",
        issuer="https://login.example.org",
        audience=("parley",),
        group_claims=("groups",),
        anonymous=True,
    )


def test_the_http_process_is_called_by_its_name_and_calls_the_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOSE_PROFILES", "web")
    services = rendered()["services"]
    for name, value in services["http"]["environment"].items():
        monkeypatch.setenv(name, value)
    settings = DoorsSettings.from_args(services["http"]["command"][1:])
    host, _, port = settings.gateway.rpartition(":")
    assert services[host]["command"][services[host]["command"].index("--port") + 1] == port
    assert settings.allowed_hosts == ("http",)
    assert [(each["target"], each["host_ip"]) for each in services["http"]["ports"]] == [(settings.port, "127.0.0.1")]


def test_its_health_check_follows_its_health(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOSE_PROFILES", "web")
    program, *arguments = rendered()["services"]["http"]["healthcheck"]["test"][1:]
    assert program == "python"
    for status, code in ((200, 0), (503, 1)):

        class Answer(QuietHandler):
            def do_GET(self, status: int = status) -> None:
                self.reply(status=status)

        with http_server(Answer) as port:
            here = [argument.replace("8050", str(port)) for argument in arguments]
            process = subprocess.run([sys.executable, *here], capture_output=True, check=False)
        assert process.returncode == code


def test_promtool_accepts_the_configuration_of_the_profile_monitoring() -> None:
    process = run("promtool", "check", "config", "compose.yml", cwd=DEPLOY / "prometheus")
    assert process.returncode == 0, process.stdout + process.stderr
