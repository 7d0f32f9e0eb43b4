{{- define "linkwatch.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end -}}
{{- end }}

{{- define "linkwatch.selector" -}}
app.kubernetes.io/name: linkwatch
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "linkwatch.labels" -}}
{{ include "linkwatch.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* The common part of all pods; the dict has `root`, and `settings` of this process. */}}
{{- define "linkwatch.pod" }}
automountServiceAccountToken: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ required "secret.name: the Secret with SECRET_KEY, DATABASE_URL and REDIS_URL" .root.Values.secret.name }}
      defaultMode: 0440
  - {name: data, emptyDir: {}}
  - {name: tmp, emptyDir: {}}
{{- end }}

{{- define "linkwatch.container" }}
image: {{ include "linkwatch.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: secrets, mountPath: /run/secrets/linkwatch, readOnly: true}
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
env:
  - {name: DATA_DIR, value: /data/linkwatch}
  - {name: ALIVE_FILE, value: /tmp/alive}
  {{- range .root.Values.secret.keys }}
  - {name: {{ . }}_FILE, value: /run/secrets/linkwatch/{{ . }}}
  {{- end }}
  - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
  {{- /* `merge` would ignore the `false` and 0 of a process. */}}
  {{- $settings := deepCopy .root.Values.settings }}
  {{- range $name, $value := .settings }}{{ $_ := set $settings $name $value }}{{ end }}
  {{- range $name, $value := $settings }}
  {{- $text := kindIs "float64" $value | ternary (printf "%.0f" $value) (toString $value) }}
  {{- if eq $name "ALLOWED_HOSTS" }}
  # Prometheus requests each pod by its address.
  - {name: ALLOWED_HOSTS, value: {{ printf "%s,$(POD_IP)" $value | quote }}}
  {{- else if ne $text "" }}
  - {name: {{ $name }}, value: {{ quote $text }}}
  {{- end }}
  {{- end }}
{{- end }}
