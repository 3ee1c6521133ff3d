"""The chart's optional HTTP server: what it listens to and calls, who reaches it, and which secrets it has."""

from typing import Any

import pytest

from doors.access import AccessCheck
from doors.settings import DoorsSettings
from libs.runtime.serving.liveness import serving_liveness
from libs.runtime.settings import ServerSettings
from parley.client.gateways import target_of
from tests.deploy.chart import (
    AUTHENTICATED,
    PROFILES,
    WITH_HTTP,
    Manifest,
    containers,
    of_kind,
    port_of,
    rendered,
    variables,
)
from tools.reference.areas import areas

NAME = "suite-parley-http"
HTTPS = ("http.tls.secretName=web",)
PROXIES = "http.trustedProxies={10.1.0.0/16}"
SUITE = {"app.kubernetes.io/name": "parley", "app.kubernetes.io/instance": "suite"}
OWN = SUITE | {"app.kubernetes.io/component": "http"}


def container_of(manifests: tuple[Manifest, ...]) -> Manifest:
    return dict(containers(manifests))["http"]


def settings_of(manifests: tuple[Manifest, ...], monkeypatch: pytest.MonkeyPatch) -> DoorsSettings:
    """The settings as the process reads them."""
    container = container_of(manifests)
    for variable, value in variables(container).items():
        monkeypatch.setenv(variable, value)
    module, *arguments = container["args"]
    assert module == "doors"
    return DoorsSettings.from_args(arguments)


def test_it_is_not_there_by_default() -> None:
    assert NAME not in {manifest["metadata"]["name"] for manifest in rendered()}
    added = {
        manifest["kind"] for manifest in rendered("values.yaml", *WITH_HTTP) if manifest["metadata"]["name"] == NAME
    }
    assert added == {"Deployment", "Service", "Ingress", "NetworkPolicy", "PodDisruptionBudget"}


@pytest.mark.parametrize("profile", PROFILES)
class TestProcess:
    def test_every_variable_is_a_setting_with_a_valid_value(
        self, profile: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        manifests = rendered(profile, *WITH_HTTP)
        known = {area.variable(field) for _, area in areas() for field in area.model_fields}
        assert variables(container_of(manifests)).keys() - known == set()
        settings = settings_of(manifests, monkeypatch)
        assert (settings.host, settings.port) == ("0.0.0.0", port_of(container_of(manifests), "http"))
        assert ServerSettings().lame_duck_seconds == 5

    def test_its_gateway_is_a_service_with_that_port(self, profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
        manifests = rendered(profile, *WITH_HTTP)
        address = settings_of(manifests, monkeypatch).gateway
        host, _, port = address.rpartition(":")
        service = of_kind(manifests, "Service")[host]["spec"]
        assert target_of(address) == address
        assert service["clusterIP"] == "None"
        assert service["selector"]["app.kubernetes.io/component"] == "gateway"
        assert int(port) in [each["port"] for each in service["ports"]]


class TestProbes:
    def test_it_serves_by_http_and_lives_by_grpc(self) -> None:
        container = container_of(rendered("values.yaml", *WITH_HTTP))
        get = {"path": "/healthz", "port": "http", "scheme": "HTTP"}
        assert container["startupProbe"]["httpGet"] == container["readinessProbe"]["httpGet"] == get
        assert container["livenessProbe"]["grpc"] == {"port": port_of(container, "liveness")}

    @pytest.mark.parametrize("options", [(), ("tls.secretName=suite",), HTTPS], ids=["plain", "tls", "https"])
    async def test_it_may_serve_its_liveness(self, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        settings_of(rendered("values.yaml", *WITH_HTTP, *options), monkeypatch)
        assert ServerSettings().liveness_address.startswith("0.0.0.0:")
        monkeypatch.setenv("PARLEY_SERVER_LIVENESS_ADDRESS", "0.0.0.0:0")
        async with serving_liveness(ServerSettings()):
            pass


class TestNetwork:
    @pytest.mark.parametrize(
        ("options", "scheme"),
        [((), "http"), (HTTPS, "https"), (("mesh=true",), "http")],
        ids=["plain", "https", "mesh"],
    )
    def test_its_port_is_named_for_meshes(self, options: tuple[str, ...], scheme: str) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, *options)
        port, metrics = of_kind(manifests, "Service")[NAME]["spec"]["ports"]
        assert (metrics["name"], metrics["appProtocol"]) == ("http-metrics", "http")
        assert (port["name"], port["appProtocol"], port["targetPort"]) == (scheme, scheme, scheme)
        assert port_of(container_of(manifests), scheme) == port["port"]

    def test_in_a_mesh_it_calls_the_gateway_s_address_and_leaves_retries_to_it(self) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, "mesh=true")
        values = variables(container_of(manifests))
        assert values["PARLEY_DOORS_GATEWAY"] == "suite-parley-gateway:50051"
        assert values["PARLEY_CHANNEL_RETRIES"] == "false"
        assert "clusterIP" not in of_kind(manifests, "Service")["suite-parley-gateway"]["spec"]

    def test_it_may_call_the_gateway_whoever_else_may_and_no_stage(self) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, "networkPolicy.clients[0].podSelector.matchLabels.app=portal")
        policies = of_kind(manifests, "NetworkPolicy")
        callers, _ = policies["suite-parley-gateway"]["spec"]["ingress"]
        assert {"podSelector": {"matchLabels": OWN}} in callers["from"]
        for name in ("intent", "decompose", "retrieve", "answer", "timeline"):
            (caller,) = policies[f"suite-parley-{name}"]["spec"]["ingress"][0]["from"]
            (besides,) = caller["podSelector"]["matchExpressions"]
            assert (besides["operator"], besides["values"]) == ("NotIn", ["http"])

    def test_who_may_call_it_is_a_value(self) -> None:
        manifests = rendered(
            "values.yaml", *WITH_HTTP, "networkPolicy.httpClients[0].podSelector.matchLabels.app=portal"
        )
        policy = of_kind(manifests, "NetworkPolicy")[NAME]["spec"]
        assert policy["podSelector"] == {"matchLabels": OWN}
        assert policy["ingress"] == [
            {
                "from": [{"podSelector": {"matchLabels": {"app": "portal"}}}],
                "ports": [{"protocol": "TCP", "port": "http"}],
            },
            {"from": [{"namespaceSelector": {}}], "ports": [{"protocol": "TCP", "port": "metrics"}]},
        ]

    @pytest.mark.parametrize("options", [(), HTTPS, ("mesh=true",)], ids=["plain", "https", "mesh"])
    def test_it_is_scraped_at_a_port_that_no_ingress_leads_to(self, options: tuple[str, ...]) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, *options, "serviceMonitor.enabled=true")
        (monitor,) = of_kind(manifests, "ServiceMonitor").values()
        service = of_kind(manifests, "Service")[NAME]
        assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
        (endpoint,) = monitor["spec"]["endpoints"]
        (port,) = [each for each in service["spec"]["ports"] if each["name"] == endpoint["port"]]
        container = container_of(manifests)
        assert port["port"] == port_of(container, port["targetPort"])
        assert variables(container)["PARLEY_SERVER_PROMETHEUS_PORT"] == str(port["port"])
        assert port["name"] not in str(of_kind(manifests, "Ingress")[NAME])


class TestNames:
    NAMES = (NAME, f"{NAME}.default", f"{NAME}.default.svc", "ask.example.org", "parley.internal")

    async def test_it_answers_to_its_service_and_ingress_and_what_is_given_and_to_nobody_else(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings = settings_of(rendered("values.yaml", *WITH_HTTP, "http.hosts={parley.internal}"), monkeypatch)
        for name in self.NAMES:
            assert await answered(settings, f"{name}:8050")
        assert not await answered(settings, "stranger.example")
        assert await answered(settings, "10.1.2.3:8050"), "the kubelet's probes call it by its address"

    def test_the_ingress_leads_to_it(self) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP)
        ingress = of_kind(manifests, "Ingress")[NAME]
        (rule,) = ingress["spec"]["rules"]
        (path,) = rule["http"]["paths"]
        assert path["backend"] == {"service": {"name": NAME, "port": {"name": "http"}}}
        assert ingress["spec"]["ingressClassName"] == "nginx"
        assert ingress["spec"]["tls"] == [{"hosts": [rule["host"]], "secretName": "ask"}]
        assert ingress["metadata"]["annotations"] == {"note": "kept"}

    def test_pages_of_other_origins_are_let_in_by_a_value(self, monkeypatch: pytest.MonkeyPatch) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, "http.origins={https://intranet.example.org}")
        assert settings_of(manifests, monkeypatch).allowed_origins == ("https://intranet.example.org",)


async def answered(settings: DoorsSettings, host: str) -> bool:
    """Whether a request by a name comes through."""
    came: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        came.append(host)

    async def send(message: Any) -> None:
        pass

    scope = {"type": "http", "method": "GET", "headers": [(b"host", host.encode())]}
    await AccessCheck(app, settings)(scope, send, send)  # type: ignore[arg-type]
    return came == [host]


class TestSecrets:
    def test_it_has_none_of_the_suite_s(self) -> None:
        """It is what strangers reach first, and it calls the gateway alone, with its callers' credentials."""
        manifests = rendered(
            "values.yaml", *WITH_HTTP, *AUTHENTICATED, "trust.secretName=suite", "existingSecret=parley"
        )
        container = container_of(manifests)
        assert "envFrom" not in container
        assert "volumeMounts" not in container
        assert [name for name in variables(container) if name.startswith(("PARLEY_AUTH_", "PARLEY_TRUST_"))] == []

    def test_it_shares_a_secret_on_origins_with_the_gateway_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        manifests = rendered(
            "values.yaml", *WITH_HTTP, "trust.secretName=suite", "trust.originSecretName=origin", PROXIES
        )
        holders = {
            name: variables(container)["PARLEY_TRUST_ORIGIN_SECRET"]
            for name, container in containers(manifests)
            if "PARLEY_TRUST_ORIGIN_SECRET" in variables(container)
        }
        assert holders == {"gateway": "/origin/secret", "http": "/origin/secret"}
        for name, workload in (("gateway", "suite-parley-gateway"), ("http", NAME)):
            pod = of_kind(manifests, "Deployment", "StatefulSet")[workload]["spec"]["template"]["spec"]
            (mount,) = [each for each in pod["containers"][0]["volumeMounts"] if each["mountPath"] == "/origin"]
            (volume,) = [each for each in pod["volumes"] if each["name"] == mount["name"]]
            assert (volume["secret"]["secretName"], mount["readOnly"]) == ("origin", True), name
        assert "PARLEY_TRUST_SECRET" not in variables(container_of(manifests))
        networks = settings_of(manifests, monkeypatch).trusted_proxies
        assert [str(network) for network in networks] == ["10.1.0.0/16"]

    def test_it_shows_browsers_a_certificate_of_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP, *HTTPS, "tls.secretName=suite")
        container = container_of(manifests)
        values = variables(container)
        assert values["PARLEY_TLS_CERTIFICATE"] == "/tls/tls.crt"
        assert values["PARLEY_TLS_SERVER_NAME"] == "parley"
        assert "PARLEY_SERVER_INSECURE" not in values
        settings = settings_of(manifests, monkeypatch)
        assert (str(settings.certificate), settings.insecure) == ("/http-tls/tls.crt", False)
        mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
        volumes = of_kind(manifests, "Deployment")[NAME]["spec"]["template"]["spec"]["volumes"]
        secrets = {volume["name"]: volume["secret"]["secretName"] for volume in volumes}
        assert {path: secrets[name] for path, name in mounts.items()} == {"/tls": "suite", "/http-tls": "web"}


class TestReplicas:
    def test_it_has_a_budget_and_time_to_drain(self) -> None:
        manifests = rendered("values.yaml", *WITH_HTTP)
        deployment = of_kind(manifests, "Deployment")[NAME]["spec"]
        assert deployment["replicas"] == 2
        assert of_kind(manifests, "PodDisruptionBudget")[NAME]["spec"]["selector"] == {"matchLabels": OWN}
        pod = deployment["template"]["spec"]
        values = variables(pod["containers"][0])
        draining = sum(float(values[f"PARLEY_SERVER_{name}_SECONDS"]) for name in ("LAME_DUCK", "DRAIN"))
        assert pod["terminationGracePeriodSeconds"] >= draining + 10
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is pod["enableServiceLinks"] is False

    def test_it_scales_where_the_others_do(self) -> None:
        manifests = rendered("values-external.yaml", *WITH_HTTP)
        target = of_kind(manifests, "HorizontalPodAutoscaler")[NAME]["spec"]["scaleTargetRef"]
        assert (target["kind"], target["name"]) == ("Deployment", NAME)
        assert "replicas" not in of_kind(manifests, "Deployment")[NAME]["spec"]
