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

{{/* Variables of a process as a map; arguments: root, name, stage. Values win over what the chart sets. */}}
{{- define "parley.env" -}}
{{- $retrieve := include "parley.address" (dict "root" .root "stage" "retrieve") }}
{{- $env := dict "PARLEY_SERVER_LOG_FORMAT" "json" }}
{{- $_ := set $env "PARLEY_SERVER_PROMETHEUS_PORT" .root.Values.ports.metrics }}
{{- $_ := set $env "PARLEY_SERVER_LIVENESS_ADDRESS" (printf "0.0.0.0:%v" .root.Values.ports.liveness) }}
{{- $_ := set $env "PARLEY_SERVER_LAME_DUCK_SECONDS" .root.Values.lameDuckSeconds }}
{{- $_ := set $env "PARLEY_SERVER_DRAIN_SECONDS" .root.Values.drainSeconds }}
{{- if .root.Values.mesh }}
{{- $_ := set $env "PARLEY_CHANNEL_RETRIES" "false" }}
{{- else }}
{{- $_ := set $env "PARLEY_CHANNEL_LOAD_BALANCING" "round_robin" }}
{{- $_ := set $env "PARLEY_SERVER_MAX_CONNECTION_AGE_SECONDS" 300 }}
{{- end }}
{{- if .root.Values.tls.secretName }}
{{- $_ := set $env "PARLEY_TLS_CERTIFICATE" "/tls/tls.crt" }}
{{- $_ := set $env "PARLEY_TLS_KEY" "/tls/tls.key" }}
{{- $_ := set $env "PARLEY_TLS_CA" "/tls/ca.crt" }}
{{- $_ := set $env "PARLEY_TLS_SERVER_NAME" .root.Values.tls.serverName }}
{{- if .root.Values.tls.clientCertificates }}
{{- $_ := set $env "PARLEY_TLS_CLIENT_CA" "/tls/ca.crt" }}
{{- end }}
{{- else }}
{{- $_ := set $env "PARLEY_SERVER_INSECURE" "true" }}
{{- end }}
{{- with .root.Values.trust.secretName }}
{{- $_ := set $env "PARLEY_TRUST_SECRET" "/trust/secret" }}
{{- end }}
{{- with .root.Values.trust.names }}
{{- $_ := set $env "PARLEY_TRUST_NAMES" . }}
{{- end }}
{{- if eq .name "gateway" }}
{{- $auth := .root.Values.auth }}
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
{{- else if eq .name "timeline" }}
{{- $_ := set $env "PARLEY_TIMELINE_INFERENCE" $retrieve }}
{{- end }}
{{- range $key, $value := mergeOverwrite $env .root.Values.env .stage.env }}
- name: {{ $key }}
  value: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}
{{- end }}
{{- end }}
