{{/* The addresses of stores: the quickstart's own stores, else those of the values. */}}

{{- define "sightline.isEmbedded" -}}
{{- if eq .Values.vectors.kind "embedded" }}true{{ end -}}
{{- end -}}

{{/* Whether the quickstart runs a store. Takes root and the store's name; fails if the values name another one, too. */}}
{{- define "sightline.brings" -}}
{{- if and .root.Values.quickstart.enabled (index .root.Values.quickstart .store "enabled") -}}
{{- $group := ternary "database" .store (eq .store "postgres") -}}
{{- range tuple "endpoint" "url" "brokers" "existingSecret" "ownerSecret" "roleSuffix" -}}
{{- if index $.root.Values $group . -}}
{{- fail (printf "%s.%s is set, and the quickstart has this store: set quickstart.%s.enabled to false" $group . $.store) -}}
{{- end -}}
{{- end -}}
true
{{- end -}}
{{- end -}}

{{- define "sightline.s3.endpoint" -}}
{{- if include "sightline.brings" (dict "root" . "store" "s3") -}}
http://{{ include "sightline.fullname" . }}-s3:9000
{{- else -}}
{{ required "s3.endpoint is missing: the address of the S3 for images" .Values.s3.endpoint }}
{{- end -}}
{{- end -}}

{{- define "sightline.qdrant.url" -}}
{{- if include "sightline.brings" (dict "root" . "store" "qdrant") -}}
http://{{ include "sightline.fullname" . }}-qdrant:6333
{{- else -}}
{{ required "qdrant.url is missing: the address of Qdrant, or set vectors.kind to embedded" .Values.qdrant.url }}
{{- end -}}
{{- end -}}

{{- define "sightline.kafka.brokers" -}}
{{- if include "sightline.brings" (dict "root" . "store" "kafka") -}}
{{ include "sightline.fullname" . }}-kafka:9092
{{- else -}}
{{ join "," .Values.kafka.brokers }}
{{- end -}}
{{- end -}}

{{/* The Secret of a quickstart with all passwords except the login of the database owner. */}}
{{- define "sightline.quickstart.secret" -}}
{{ include "sightline.fullname" . }}-quickstart
{{- end -}}

{{/* The Secret of a store. Takes root, the store, the name from the values, and the error message for a missing name. */}}
{{- define "sightline.secretOf" -}}
{{- if include "sightline.brings" . -}}
{{ include "sightline.quickstart.secret" .root }}
{{- else -}}
{{ required .missing .name }}
{{- end -}}
{{- end -}}

{{- define "sightline.database.secret" -}}
{{- include "sightline.secretOf" (dict "root" . "store" "postgres" "name" .Values.database.existingSecret "missing" "database.existingSecret is missing: the Secret with the address of the database") -}}
{{- end -}}

{{- define "sightline.database.ownerSecret" -}}
{{- if include "sightline.brings" (dict "root" . "store" "postgres") -}}
{{ include "sightline.quickstart.secret" . }}-owner
{{- else -}}
{{ required "database.ownerSecret is missing: the Secret with the address of the database for its owner" .Values.database.ownerSecret }}
{{- end -}}
{{- end -}}

{{- define "sightline.s3.secret" -}}
{{- include "sightline.secretOf" (dict "root" . "store" "s3" "name" .Values.s3.existingSecret "missing" "s3.existingSecret is missing: the Secret with the keys of the S3") -}}
{{- end -}}

{{- define "sightline.inference.secret" -}}
{{- if and .Values.quickstart.enabled (not .Values.inference.existingSecret) -}}
{{ include "sightline.quickstart.secret" . }}
{{- else -}}
{{ required "inference.existingSecret is missing: the Secret with the key that inference pods and their callers share" .Values.inference.existingSecret }}
{{- end -}}
{{- end -}}

{{/* The Secret; empty if there is none. */}}
{{- define "sightline.qdrant.secret" -}}
{{- if .Values.qdrant.existingSecret -}}
{{ .Values.qdrant.existingSecret }}
{{- else if include "sightline.brings" (dict "root" . "store" "qdrant") -}}
{{ include "sightline.quickstart.secret" . }}
{{- end -}}
{{- end -}}

{{/* The Secret; empty if there is none. */}}
{{- define "sightline.webhooks.secret" -}}
{{- if .Values.webhooks.existingSecret -}}
{{ .Values.webhooks.existingSecret }}
{{- else if .Values.quickstart.enabled -}}
{{ include "sightline.quickstart.secret" . }}
{{- end -}}
{{- end -}}
