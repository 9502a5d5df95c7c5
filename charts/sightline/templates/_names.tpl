{{/* The names of Services begin with a letter, and a release may be called 1234. */}}
{{- define "sightline.fullname" -}}
{{- $name := .Values.fullnameOverride | default .Release.Name -}}
{{- ternary $name (printf "sl-%s" $name) (regexMatch "^[a-z]" $name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "sightline.namespace" -}}
{{- .Values.namespaceOverride | default .Release.Namespace -}}
{{- end -}}

{{/* Takes root and component. */}}
{{- define "sightline.name" -}}
{{- include "sightline.fullname" .root }}-{{ .component -}}
{{- end -}}

{{/* Takes root and component. */}}
{{- define "sightline.selector" -}}
app.kubernetes.io/name: sightline
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* The metadata of an object. Takes root, component, and the object's own labels and annotations. */}}
{{- define "sightline.metadata" -}}
labels:
  helm.sh/chart: sightline-{{ .root.Chart.Version | replace "+" "_" }}
  {{- include "sightline.selector" . | nindent 2 }}
  app.kubernetes.io/part-of: sightline
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  {{- with mergeOverwrite (deepCopy .root.Values.commonLabels) (.labels | default dict) }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The name of an image. Takes the image, and the default tag. */}}
{{- define "sightline.imageOf" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ .image.tag | default .tag }}
{{- end -}}
{{- end -}}

{{- define "sightline.image" -}}
{{- include "sightline.imageOf" (dict "image" .Values.global.image "tag" .Chart.AppVersion) -}}
{{- end -}}

{{/* The service account. Takes root, component, and as `of` the component that the values belong to, if it is another one. */}}
{{- define "sightline.serviceAccount" -}}
{{- $component := .of | default .component -}}
{{- $given := (index .root.Values $component).serviceAccount -}}
{{- if and (not $given.create) (not $given.name) -}}
{{- fail (printf "%s.serviceAccount.create is false: name an account in %s.serviceAccount.name" $component $component) -}}
{{- end -}}
{{- $given.name | default (include "sightline.name" (dict "root" .root "component" $component)) -}}
{{- end -}}
