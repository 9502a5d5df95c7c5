{{- define "sightline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "sightline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* The scheduling of a component's pods. Takes its values. */}}
{{- define "sightline.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A container of the image. Takes root, name, args, groups and the values of its component (resources, extraEnv,
extraVolumeMounts, spoolSize).
*/}}
{{- define "sightline.container" -}}
name: {{ .name }}
image: {{ include "sightline.image" .root }}
imagePullPolicy: {{ .root.Values.global.image.pullPolicy }}
args: {{ .args | toJson }}
env:
  {{- include "sightline.env" . | trim | nindent 2 }}
  {{- if has "models" .groups }}
  {{- include "sightline.env.threads" .values | nindent 2 }}
  {{- end }}
  {{- with .values.spoolSize }}
  {{- include "sightline.env.spool" $.values | nindent 2 }}
  {{- end }}
  {{- with .values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
securityContext:
  {{- include "sightline.containerSecurity" . | nindent 2 }}
# The last sentence of a process that fails appears in the pod's status.
terminationMessagePolicy: FallbackToLogsOnError
volumeMounts:
  - { name: files, mountPath: /etc/sightline, readOnly: true }
  - { name: tmp, mountPath: /tmp }
  {{- if has "migration" .groups }}
  - { name: owner, mountPath: /etc/sightline-owner, readOnly: true }
  {{- end }}
  {{- if has "data" .groups }}
  - { name: data, mountPath: /var/lib/sightline }
  {{- end }}
  {{- with .values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Takes root, groups and the values of its component. */}}
{{- define "sightline.volumes" -}}
- name: files
  projected:
    defaultMode: 288 # 0440
    sources:
      {{- include "sightline.files" . | nindent 6 }}
- name: tmp
  {{- include "sightline.tmpVolume" .values | nindent 2 }}
{{- if has "migration" .groups }}
- name: owner
  secret:
    secretName: {{ include "sightline.database.ownerSecret" .root | quote }}
    defaultMode: 288 # 0440
    items: [{ key: {{ .root.Values.database.ownerUrlKey | quote }}, path: database-url }]
{{- end }}
{{- if has "data" .groups }}
- { name: data, emptyDir: {} }
{{- end }}
{{- with .values.extraVolumes }}
{{- toYaml . | nindent 0 }}
{{- end }}
{{- end -}}

{{/* The temporary volume; another kind replaces the emptyDir of the default values. Takes the values of the component. */}}
{{- define "sightline.tmpVolume" -}}
{{- $given := .tmpVolume | default (dict "emptyDir" (dict "sizeLimit" "64Mi")) -}}
{{- toYaml (ternary (omit $given "emptyDir") $given (gt (len $given) 1)) -}}
{{- end -}}

{{/* The part of a pod's spec that all pods of a release share. Takes root, component and its values. */}}
{{- define "sightline.podDefaults" -}}
serviceAccountName: {{ include "sightline.serviceAccount" . | quote }}
enableServiceLinks: false
{{- with .root.Values.global.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- else }}
{{- if .root.Values.global.imagePullSecrets }}
{{- fail "this chart does not read global.imagePullSecrets: name the Secrets in global.image.pullSecrets, too" }}
{{- end }}
{{- end }}
{{- include "sightline.placement" .values }}
securityContext:
  {{- include "sightline.podSecurity" . | nindent 2 }}
{{- end -}}
