"""The chart as the real `helm` renders it, and the parts of its manifests."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import yaml

from tests.deploy.tools import DEPLOY, run

CHART = DEPLOY / "helm" / "parley"
KUBERNETES = "1.30.0"
PROFILES = ("values.yaml", "values-full.yaml", "values-external.yaml")
AUTHENTICATED = (
    "auth.keysSecretName=callers",
    "auth.jwks=https://login.example.org/keys",
    "auth.issuer=https://login.example.org",
    "auth.audience={parley}",
    "auth.groupClaims={groups}",
    "auth.groupPrefix=group:",
)
WITH_HTTP = (
    "http.enabled=true",
    "http.ingress.host=ask.example.org",
    "http.ingress.className=nginx",
    "http.ingress.tlsSecretName=ask",
    "http.ingress.annotations.note=kept",
)
WORKLOADS = {"Deployment", "StatefulSet"}

Manifest = dict[str, Any]


@cache
def rendered(profile: str = "values.yaml", *settings: str) -> tuple[Manifest, ...]:
    """The manifests of a release called `suite`."""
    options = [part for setting in settings for part in ("--set", setting)]
    process = run(
        "helm", "template", "suite", str(CHART), "-f", str(CHART / profile), "--kube-version", KUBERNETES, *options
    )
    assert process.returncode == 0, process.stderr
    return tuple(manifest for manifest in yaml.safe_load_all(process.stdout) if manifest)


def of_kind(manifests: tuple[Manifest, ...], *kinds: str) -> dict[str, Manifest]:
    """Manifests by name."""
    return {each["metadata"]["name"]: each for each in manifests if each["kind"] in kinds}


def containers(manifests: tuple[Manifest, ...]) -> Iterator[tuple[str, Manifest]]:
    """The container of each workload, by the stage's name."""
    for workload in of_kind(manifests, *WORKLOADS).values():
        (container,) = workload["spec"]["template"]["spec"]["containers"]
        yield container["name"], container


def variables(container: Manifest) -> dict[str, str]:
    return {variable["name"]: variable["value"] for variable in container["env"]}


def port_of(container: Manifest, name: str) -> int:
    (port,) = [port["containerPort"] for port in container["ports"] if port["name"] == name]
    return int(port)
