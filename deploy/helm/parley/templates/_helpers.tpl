{{- define "parley.fullname" -}}
{{- if contains "parley" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-parley" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{/* The address of a stage; arguments: root, stage. */}}
{{- define "parley.address" -}}
{{- if not .root.Values.mesh }}dns:///{{ end }}{{ include "parley.fullname" .root }}-{{ .stage }}:{{ (index .root.Values.stages .stage).port }}
{{- end }}

{{/* Variables that all processes have, as YAML; argument: root. */}}
{{- define "parley.commonEnv" -}}
PARLEY_SERVER_LOG_FORMAT: json
PARLEY_SERVER_LIVENESS_ADDRESS: "0.0.0.0:{{ .Values.ports.liveness }}"
PARLEY_SERVER_LAME_DUCK_SECONDS: {{ .Values.lameDuckSeconds }}
PARLEY_SERVER_DRAIN_SECONDS: {{ .Values.drainSeconds }}
PARLEY_SERVER_PROMETHEUS_PORT: {{ .Values.ports.metrics }}
{{- if .Values.mesh }}
PARLEY_CHANNEL_RETRIES: "false"
{{- else }}
PARLEY_CHANNEL_LOAD_BALANCING: round_robin
{{- end }}
{{- if .Values.tls.secretName }}
PARLEY_TLS_CERTIFICATE: /tls/tls.crt
PARLEY_TLS_KEY: /tls/tls.key
PARLEY_TLS_CA: /tls/ca.crt
PARLEY_TLS_SERVER_NAME: {{ .Values.tls.serverName | quote }}
{{- else }}
PARLEY_SERVER_INSECURE: "true"
{{- end }}
{{- end }}

{{/* Variables of a gRPC process; arguments: root, name, stage. Values win over what the chart sets. */}}
{{- define "parley.env" -}}
{{- $retrieve := include "parley.address" (dict "root" .root "stage" "retrieve") }}
{{- $env := include "parley.commonEnv" .root | fromYaml }}
{{- if not .root.Values.mesh }}
{{- $_ := set $env "PARLEY_SERVER_MAX_CONNECTION_AGE_SECONDS" 300 }}
{{- end }}
{{- if and .root.Values.tls.secretName .root.Values.tls.clientCertificates }}
{{- $_ := set $env "PARLEY_TLS_CLIENT_CA" "/tls/ca.crt" }}
{{- end }}
{{- with .root.Values.trust.secretName }}
{{- $_ := set $env "PARLEY_TRUST_SECRET" "/trust/secret" }}
{{- end }}
{{- with .root.Values.trust.names }}
{{- $_ := set $env "PARLEY_TRUST_NAMES" . }}
{{- end }}
{{- if eq .name "gateway" }}
{{- if and .root.Values.http.enabled .root.Values.trust.originSecretName }}
{{- $_ := set $env "PARLEY_TRUST_ORIGIN_SECRET" "/origin/secret" }}
{{- end }}
{{- $auth := .root.Values.auth }}
{{- $_ := set $env "PARLEY_AUTH_LOCAL_PRINCIPALS" "false" }}{{/* a sidecar's calls come from the pod itself */}}
{{- with $auth.keysSecretName }}
{{- $_ := set $env "PARLEY_AUTH_KEYS" "/auth/keys" }}
{{- end }}
{{- range $setting, $value := dict "JWKS" $auth.jwks "ISSUER" $auth.issuer "AUDIENCE" $auth.audience "GROUP_CLAIMS" $auth.groupClaims "GROUP_PREFIX" $auth.groupPrefix "ANONYMOUS" $auth.anonymous }}
{{- if $value }}
{{- $_ := set $env (printf "PARLEY_AUTH_%s" $setting) $value }}
{{- end }}
{{- end }}
{{- $_ := set $env "PARLEY_GATEWAY_DATA" "/data" }}
{{- range $other := list "intent" "decompose" "retrieve" "answer" "timeline" }}
{{- $_ := set $env (printf "PARLEY_GATEWAY_%s" (upper $other)) (include "parley.address" (dict "root" $.root "stage" $other)) }}
{{- end }}
{{- else if eq .name "retrieve" }}
{{- $_ := set $env "PARLEY_RETRIEVE_DATA" "/data" }}
{{- $_ := set $env "HF_HOME" "/data/models" }}
{{- else if eq .name "decompose" }}
{{- $_ := set $env "PARLEY_DECOMPOSE_INFERENCE" $retrieve }}
{{- else if eq .name "answer" }}
{{- $_ := set $env "PARLEY_ANSWER_PICTURES_INFERENCE" $retrieve }}
{{- end }}
{{- include "parley.variables" (mergeOverwrite $env .root.Values.env .stage.env) }}
{{- end }}

{{/* Variables of the HTTP server; argument: root. It calls the gateway alone and has none of the suite's secrets but one
of its own, by which the gateway believes where its callers come from. */}}
{{- define "parley.httpEnv" -}}
{{- $name := printf "%s-http" (include "parley.fullname" .) }}
{{- $inCluster := list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) }}
{{- $hosts := concat $inCluster (compact (list .Values.http.ingress.host)) .Values.http.hosts }}
{{- $env := include "parley.commonEnv" . | fromYaml }}
{{- /* The pods themselves, so that calls are spread; in a mesh the service's address. */}}
{{- $gateway := printf "%s-gateway%s" (include "parley.fullname" .) (ternary "" "-pods" .Values.mesh) }}
{{- $_ := set $env "PARLEY_DOORS_GATEWAY" (printf "%s:%v" $gateway .Values.stages.gateway.port) }}
{{- $_ := set $env "PARLEY_DOORS_ALLOWED_HOSTS" (uniq $hosts) }}
{{- with .Values.http.origins }}
{{- $_ := set $env "PARLEY_DOORS_ALLOWED_ORIGINS" . }}
{{- end }}
{{- with .Values.http.trustedProxies }}
{{- $_ := set $env "PARLEY_DOORS_TRUSTED_PROXIES" . }}
{{- end }}
{{- if .Values.trust.originSecretName }}
{{- $_ := set $env "PARLEY_TRUST_ORIGIN_SECRET" "/origin/secret" }}
{{- end }}
{{- if .Values.http.tls.secretName }}
{{- $_ := set $env "PARLEY_DOORS_CERTIFICATE" "/http-tls/tls.crt" }}
{{- $_ := set $env "PARLEY_DOORS_KEY" "/http-tls/tls.key" }}
{{- else }}
{{- $_ := set $env "PARLEY_DOORS_INSECURE" "true" }}
{{- end }}
{{- include "parley.variables" (mergeOverwrite $env .Values.env .Values.http.env) }}
{{- end }}

{{/* A map of variables as those of a container. */}}
{{- define "parley.variables" -}}
{{- range $key, $value := . }}
- name: {{ $key }}
  value: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}
{{- end }}
{{- end }}

{{/* What all pods have in common; arguments: root, name. */}}
{{- define "parley.pod" -}}
automountServiceAccountToken: false
# Links of services would be variables such as PARLEY_GATEWAY_PORT, which are settings' names.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add .root.Values.lameDuckSeconds .root.Values.drainSeconds 10 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "parley.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .name }}
{{- end }}

{{/* What all containers have in common; argument: root. */}}
{{- define "parley.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
livenessProbe:
  grpc: {port: {{ .Values.ports.liveness }}}
  timeoutSeconds: 3
  periodSeconds: 5
  failureThreshold: 5
securityContext:
  allowPrivilegeEscalation: false
  capabilities: {drop: [ALL]}
{{- end }}

{{/* Autoscaler and disruption budget; arguments: root, name, kind, part. */}}
{{- define "parley.scaling" -}}
{{- if .part.autoscaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "parley.fullname" .root }}-{{ .name }}
  labels: {{- include "parley.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ include "parley.fullname" .root }}-{{ .name }}
  minReplicas: {{ .part.autoscaling.minReplicas }}
  maxReplicas: {{ .part.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ .part.autoscaling.cpu }}}
{{- end }}
{{- if or .part.autoscaling.enabled (gt (int .part.replicas) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "parley.fullname" .root }}-{{ .name }}
  labels: {{- include "parley.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .name }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "parley.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .name }}
{{- end }}
{{- end }}
