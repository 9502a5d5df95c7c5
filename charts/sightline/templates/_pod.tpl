{{/* The security context of all pods; null omits it. */}}
{{- define "sightline.podSecurity" -}}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The security context of all containers; null omits it. */}}
{{- define "sightline.containerSecurity" -}}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
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
A container of the image. Takes root, component, name, args, groups and the values of its component (resources, extraEnv,
extraVolumeMounts, spoolSize), and as `of` the component that the values belong to, if it is another one.
*/}}
{{- define "sightline.container" -}}
name: {{ .name }}
image: {{ include "sightline.image" .root }}
imagePullPolicy: {{ .root.Values.global.image.pullPolicy }}
args: {{ .args | toJson }}
env:
  {{- include "sightline.variables" . | trim | nindent 2 }}
  {{- with .values.extraEnv }}
  {{- include "sightline.requireOwn" (dict "what" (printf "%s.extraEnv" ($.of | default $.component)) "member" "name" "given" . "taken" (include "sightline.variables" $ | fromYamlArray)) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
{{- include "sightline.containerSecurity" .root }}
# The last sentence of a process that fails appears in the pod's status.
terminationMessagePolicy: FallbackToLogsOnError
volumeMounts:
  {{- include "sightline.mounts" . | nindent 2 }}
  {{- with .values.extraVolumeMounts }}
  {{- include "sightline.requireOwn" (dict "what" (printf "%s.extraVolumeMounts" ($.of | default $.component)) "member" "mountPath" "given" . "taken" (include "sightline.mounts" $ | fromYamlArray)) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* The variables that the chart sets. Takes what a container takes. */}}
{{- define "sightline.variables" -}}
{{- include "sightline.env" . }}
{{- if has "models" .groups }}
{{ include "sightline.env.threads" .values }}
{{- end }}
{{- with .values.spoolSize }}
{{ include "sightline.env.spool" $.values }}
{{- include "sightline.env.tmp" $.values }}
{{- end }}
{{- end -}}

{{- define "sightline.mounts" -}}
- { name: files, mountPath: /etc/sightline, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if has "migration" .groups }}
- { name: owner, mountPath: /etc/sightline-owner, readOnly: true }
{{- end }}
{{- if has "data" .groups }}
- { name: data, mountPath: /var/lib/sightline }
{{- end }}
{{- end -}}

{{/*
Fails if values name something that the chart sets itself, or name it twice: the API server would refuse it in the middle of an
upgrade. Takes what (the value), member (the name of the member that must be unique), given, and taken (the chart's own).
*/}}
{{- define "sightline.requireOwn" -}}
{{- $taken := list -}}
{{- range .taken }}{{ $taken = append $taken (index . $.member) }}{{ end -}}
{{- range .given -}}
{{- $it := index . $.member -}}
{{- if has $it $taken }}{{ fail (printf "%s has the %s %s, which the chart sets itself or which is listed twice: remove it, and use the value of the chart" $.what $.member $it) }}{{ end -}}
{{- $taken = append $taken $it -}}
{{- end -}}
{{- end -}}

{{/* Takes root, component, groups and the values of its component. */}}
{{- define "sightline.volumes" -}}
{{- include "sightline.ownVolumes" . }}
{{- with .values.extraVolumes }}
{{- include "sightline.requireOwn" (dict "what" (printf "%s.extraVolumes" ($.of | default $.component)) "member" "name" "given" . "taken" (include "sightline.ownVolumes" $ | fromYamlArray)) }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The volumes that the chart sets. Takes what the volumes take. */}}
{{- define "sightline.ownVolumes" -}}
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
- { name: data, emptyDir: { sizeLimit: 16Gi } }
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
{{- include "sightline.podSecurity" .root }}
{{- end -}}
