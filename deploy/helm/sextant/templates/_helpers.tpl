{{/* What differs between the services: the prefix of their settings, their ports, and where they answer that they are alive. */}}
{{- define "sextant.services" -}}
vector:
  prefix: SERVICE
  ports: { rest: 6573, grpc: 6574 }
  alive: /livez
observability:
  prefix: OBSERVABILITY
  ports: { rest: 6580 }
  alive: /healthz
{{- end }}

{{- define "sextant.selector" -}}
app.kubernetes.io/name: sextant
app.kubernetes.io/instance: {{ .release }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "sextant.labels" -}}
{{ include "sextant.selector" . }}
app.kubernetes.io/version: {{ .chart.AppVersion | quote }}
app.kubernetes.io/managed-by: Helm
helm.sh/chart: {{ printf "%s-%s" .chart.Name .chart.Version }}
{{- end }}
