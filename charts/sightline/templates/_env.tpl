{{/*
The variables of a process and the files that they name. Both take root and `groups`, the names of the groups of
docs/configuration.md that the process reads.
*/}}
{{- define "sightline.env" -}}
{{- with .root.Values.trustedCertificates.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/sightline/trusted.crt }
{{- end }}
{{- range .groups }}
{{- include (printf "sightline.env.%s" .) (ternary $ $.root (eq . "process")) }}
{{- end }}
{{- end -}}

{{/* Takes root and the values of the component. */}}
{{- define "sightline.env.process" }}
# The process listens on all interfaces, because other pods, the kubelet and Prometheus call it.
- { name: SIGHTLINE_HOST, value: 0.0.0.0 }
- { name: SIGHTLINE_LOG_LEVEL, value: {{ .values.logLevel | default .root.Values.logLevel | quote }} }
{{- end -}}

{{- define "sightline.env.start" }}
- { name: SIGHTLINE_START_TIMEOUT, value: {{ .Values.startTimeout | quote }} }
{{- end -}}

{{- define "sightline.env.server" }}
- { name: SIGHTLINE_PORT, value: '8080' }
- { name: SIGHTLINE_DRAIN_SECONDS, value: {{ .Values.api.drainSeconds | quote }} }
{{- end -}}

{{- define "sightline.env.settings" }}
- { name: SIGHTLINE_URL_FETCH_PRIVATE, value: {{ ternary "on" "off" .Values.imageUrls.private | quote }} }
{{- end -}}

{{- define "sightline.env.data" }}
- { name: SIGHTLINE_DATA, value: /var/lib/sightline }
{{- end -}}

{{- define "sightline.env.database" }}
- { name: SIGHTLINE_DATABASE_URL_FILE, value: /etc/sightline/database-url }
{{- if .Values.database.passwordKey }}
- { name: SIGHTLINE_DATABASE_PASSWORD_FILE, value: /etc/sightline/database-password }
{{- end }}
{{- with .Values.database.roleSuffix }}
- { name: SIGHTLINE_DATABASE_ROLE_SUFFIX, value: {{ . | quote }} }
{{- end }}
- { name: SIGHTLINE_DATABASE_CONNECTIONS, value: {{ .Values.database.connections | quote }} }
- { name: SIGHTLINE_DATABASE_STATEMENT_TIMEOUT, value: {{ .Values.database.statementTimeout | int | quote }} }
- { name: SIGHTLINE_DATABASE_LOCK_TIMEOUT, value: {{ .Values.database.lockTimeout | int | quote }} }
{{- end -}}

{{- define "sightline.env.migration" }}
- { name: SIGHTLINE_DATABASE_OWNER_URL_FILE, value: /etc/sightline-owner/database-url }
{{- end -}}

{{- define "sightline.env.media" }}
- { name: SIGHTLINE_S3_ENDPOINT, value: {{ include "sightline.s3.endpoint" . | quote }} }
- { name: SIGHTLINE_S3_BUCKET, value: {{ .Values.s3.bucket | quote }} }
- { name: SIGHTLINE_S3_REGION, value: {{ .Values.s3.region | quote }} }
- { name: SIGHTLINE_S3_VIRTUAL_HOSTS, value: {{ ternary "on" "off" .Values.s3.virtualHosts | quote }} }
{{- if .Values.s3.webIdentity.enabled }}
{{- with .Values.s3.webIdentity }}
{{- if .audience }}
- { name: SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE, value: /etc/sightline/s3-token }
{{- end }}
{{- if .roleArn }}
- { name: SIGHTLINE_S3_ROLE_ARN, value: {{ .roleArn | quote }} }
{{- end }}
{{- if .stsEndpoint }}
- { name: SIGHTLINE_S3_STS_ENDPOINT, value: {{ .stsEndpoint | quote }} }
{{- end }}
{{- end }}
{{- else }}
- { name: SIGHTLINE_S3_ACCESS_KEY_FILE, value: /etc/sightline/s3-access-key }
- { name: SIGHTLINE_S3_SECRET_KEY_FILE, value: /etc/sightline/s3-secret-key }
{{- if .Values.s3.sessionTokenKey }}
- { name: SIGHTLINE_S3_SESSION_TOKEN_FILE, value: /etc/sightline/s3-session-token }
{{- end }}
{{- end }}
{{- end -}}

{{- define "sightline.env.vectors" }}
{{- if not (include "sightline.isEmbedded" .) }}
- { name: SIGHTLINE_QDRANT_URL, value: {{ include "sightline.qdrant.url" . | quote }} }
{{- if include "sightline.qdrant.secret" . }}
- { name: SIGHTLINE_QDRANT_API_KEY_FILE, value: /etc/sightline/qdrant-api-key }
{{- end }}
- { name: SIGHTLINE_QDRANT_SHARDS, value: {{ .Values.qdrant.shards | quote }} }
- { name: SIGHTLINE_QDRANT_REPLICAS, value: {{ .Values.qdrant.replicas | quote }} }
{{- end }}
{{- end -}}

{{- define "sightline.env.inference" }}
# The address of every ready inference pod of the namespace, which callers look up repeatedly.
- { name: SIGHTLINE_INFERENCE_URL, value: 'dns+http://{{ include "sightline.fullname" . }}-inference:8080' }
# InferenceRoutes determine the active models; the value says whether the API may change them.
- { name: SIGHTLINE_ROUTES, value: {{ ternary "kubernetes" "declared" (eq .Values.activation "api") }} }
{{- end -}}

{{- define "sightline.env.inferenceKey" }}
- { name: SIGHTLINE_INFERENCE_KEY_FILE, value: /etc/sightline/inference-key }
{{- end -}}

{{- define "sightline.env.kafka" }}
{{- if include "sightline.kafka.brokers" . }}
- { name: SIGHTLINE_KAFKA_BROKERS, value: {{ include "sightline.kafka.brokers" . | quote }} }
- { name: SIGHTLINE_KAFKA_TOPIC, value: {{ .Values.kafka.topic | quote }} }
- { name: SIGHTLINE_KAFKA_CREATE_TOPIC, value: {{ .Values.kafka.createTopic | quote }} }
- { name: SIGHTLINE_KAFKA_PARTITIONS, value: {{ .Values.kafka.partitions | quote }} }
- { name: SIGHTLINE_KAFKA_REPLICAS, value: {{ .Values.kafka.replicas | quote }} }
- { name: SIGHTLINE_KAFKA_TLS, value: {{ .Values.kafka.tls | quote }} }
{{- if .Values.kafka.caSecret }}
- { name: SIGHTLINE_KAFKA_CA_FILE, value: /etc/sightline/kafka-ca.crt }
{{- end }}
{{- if .Values.kafka.username }}
- { name: SIGHTLINE_KAFKA_USERNAME, value: {{ .Values.kafka.username | quote }} }
- { name: SIGHTLINE_KAFKA_SASL_MECHANISM, value: {{ .Values.kafka.mechanism | quote }} }
- { name: SIGHTLINE_KAFKA_PASSWORD_FILE, value: /etc/sightline/kafka-password }
{{- end }}
{{- end }}
{{- end -}}

{{- define "sightline.env.secretKey" }}
{{- if include "sightline.webhooks.secret" . }}
- { name: SIGHTLINE_SECRET_KEY_FILE, value: /etc/sightline/secret-key }
{{- end }}
{{- end -}}

{{- define "sightline.env.console" }}
- { name: SIGHTLINE_CONSOLE_DIR, value: {{ ternary "/app/console" "off" .Values.console.enabled | quote }} }
{{- end -}}

{{- define "sightline.env.accounts" }}
{{- with .Values.accounts }}
{{- with .publicUrl }}
- { name: SIGHTLINE_PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- with .trustedProxies }}
- { name: SIGHTLINE_TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- with .administrator.email }}
- { name: SIGHTLINE_ADMIN_EMAIL, value: {{ . | quote }} }
- { name: SIGHTLINE_ADMIN_PASSWORD_FILE, value: /etc/sightline/admin-password }
{{- end }}
{{- if .oidc.issuer }}
- { name: SIGHTLINE_OIDC_ISSUER, value: {{ .oidc.issuer | quote }} }
- { name: SIGHTLINE_OIDC_CLIENT_ID, value: {{ required "accounts.oidc.clientId is missing: the id of this installation at the OpenID provider" .oidc.clientId | quote }} }
- { name: SIGHTLINE_OIDC_CLIENT_SECRET_FILE, value: /etc/sightline/oidc-client-secret }
- { name: SIGHTLINE_OIDC_SIGN_UP, value: {{ ternary "on" "off" .oidc.signUp | quote }} }
{{- if not .publicUrl }}
{{- fail "accounts.publicUrl is missing: the OpenID provider sends browsers back to it" }}
{{- end }}
{{- if not (include "sightline.webhooks.secret" $) }}
{{- fail "webhooks.existingSecret is missing: its key seals sign-ins at the OpenID provider" }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "sightline.env.downloads" }}
{{- with .Values.downloads.mirror }}
- { name: SIGHTLINE_MODEL_MIRROR, value: {{ . | quote }} }
{{- end }}
{{- if .Values.downloads.catalog.configMap }}
- { name: SIGHTLINE_MODEL_CATALOG, value: /etc/sightline/catalog.json }
{{- end }}
{{- end -}}

{{/* SIGHTLINE_WORKERS is set from the resources. */}}
{{- define "sightline.env.models" -}}
{{- end -}}

{{/*
The threads of a process that can run models: one per CPU of the limit or, without a limit, of the request; at least one.
They never depend on the cores of the node. Takes the values of its component.
*/}}
{{- define "sightline.env.threads" -}}
{{- $resources := .resources | default dict -}}
{{- $limit := get ($resources.limits | default dict) "cpu" -}}
{{- $cpu := $limit | default (get ($resources.requests | default dict) "cpu") | toString -}}
{{- $cpus := ternary (divf (trimSuffix "m" $cpu) 1000) (float64 $cpu) (hasSuffix "m" $cpu) -}}
- { name: SIGHTLINE_WORKERS, value: {{ max 1 (min 256 (floor $cpus | int)) | quote }} }
{{- end -}}

{{/* Takes root and the component's size. */}}
{{- define "sightline.env.spool" -}}
- { name: SIGHTLINE_SPOOL_MAX, value: {{ .spoolSize }}B }
{{- end -}}

{{/* The size of the temporary volume, unless it has a disk of its own. Takes the values of the component. */}}
{{- define "sightline.env.tmp" -}}
{{- $size := dig "emptyDir" "sizeLimit" "" (include "sightline.tmpVolume" . | fromYaml) }}
{{- with ternary (printf "%d" (int64 $size)) (toString $size) (kindIs "float64" $size) }}
{{- if not (regexMatch "^[0-9]+([kMGT]|[KMGT]i)?$" .) }}
{{- fail (printf "tmpVolume.emptyDir.sizeLimit is %s: give a whole number with a unit, such as 32Gi" .) }}
{{- end }}
- { name: SIGHTLINE_TMP_MAX, value: {{ ternary . (printf "%sB" .) (regexMatch "[0-9]$" .) | quote }} }
{{- end }}
{{- end -}}

{{/* Sources of the projected volume /etc/sightline. The database owner's URL has a volume of its own. */}}
{{- define "sightline.files" -}}
{{- $root := .root -}}
{{- with $root.Values.trustedCertificates }}
{{- if .configMap }}
- configMap: { name: {{ .configMap | quote }}, items: [{ key: {{ .key | quote }}, path: trusted.crt }] }
{{- end }}
{{- end }}
{{- range .groups }}
{{- if eq . "database" }}
- secret:
    name: {{ include "sightline.database.secret" $root | quote }}
    items:
      - { key: {{ $root.Values.database.urlKey | quote }}, path: database-url }
      {{- with $root.Values.database.passwordKey }}
      - { key: {{ . | quote }}, path: database-password }
      {{- end }}
{{- else if and (eq . "media") $root.Values.s3.webIdentity.enabled }}
{{- with $root.Values.s3.webIdentity.audience }}
- serviceAccountToken: { audience: {{ . | quote }}, expirationSeconds: 3600, path: s3-token }
{{- end }}
{{- else if eq . "media" }}
- secret:
    name: {{ include "sightline.s3.secret" $root | quote }}
    items:
      - { key: {{ $root.Values.s3.accessKeyKey | quote }}, path: s3-access-key }
      - { key: {{ $root.Values.s3.secretKeyKey | quote }}, path: s3-secret-key }
      {{- with $root.Values.s3.sessionTokenKey }}
      - { key: {{ . | quote }}, path: s3-session-token }
      {{- end }}
{{- else if and (eq . "vectors") (not (include "sightline.isEmbedded" $root)) (include "sightline.qdrant.secret" $root) }}
- secret:
    name: {{ include "sightline.qdrant.secret" $root | quote }}
    items: [{ key: {{ $root.Values.qdrant.apiKeyKey | quote }}, path: qdrant-api-key }]
{{- else if eq . "accounts" }}
{{- with $root.Values.accounts.administrator }}
{{- if .email }}
- secret:
    name: {{ required "accounts.administrator.existingSecret names the Secret with the password" .existingSecret | quote }}
    items: [{ key: {{ .passwordKey | quote }}, path: admin-password }]
{{- end }}
{{- end }}
{{- with $root.Values.accounts.oidc }}
{{- if .issuer }}
- secret:
    name: {{ required "accounts.oidc.existingSecret is missing: the Secret with the secret of accounts.oidc.clientId" .existingSecret | quote }}
    items: [{ key: {{ .clientSecretKey | quote }}, path: oidc-client-secret }]
{{- end }}
{{- end }}
{{- else if eq . "inferenceKey" }}
- secret:
    name: {{ include "sightline.inference.secret" $root | quote }}
    items: [{ key: {{ $root.Values.inference.keyKey | quote }}, path: inference-key }]
{{- else if and (eq . "secretKey") (include "sightline.webhooks.secret" $root) }}
- secret:
    name: {{ include "sightline.webhooks.secret" $root | quote }}
    items: [{ key: {{ $root.Values.webhooks.keyKey | quote }}, path: secret-key }]
{{- else if and (eq . "kafka") (include "sightline.kafka.brokers" $root) }}
{{- with $root.Values.kafka.caSecret }}
- secret: { name: {{ . | quote }}, items: [{ key: {{ $root.Values.kafka.caKey | quote }}, path: kafka-ca.crt }] }
{{- end }}
{{- if $root.Values.kafka.username }}
- secret:
    name: {{ required "kafka.existingSecret is missing: the Secret with the password of kafka.username" $root.Values.kafka.existingSecret | quote }}
    items: [{ key: {{ $root.Values.kafka.passwordKey | quote }}, path: kafka-password }]
{{- end }}
{{- else if and (eq . "downloads") $root.Values.downloads.catalog.configMap }}
- configMap:
    name: {{ $root.Values.downloads.catalog.configMap | quote }}
    items: [{ key: {{ $root.Values.downloads.catalog.key | quote }}, path: catalog.json }]
{{- end }}
{{- end }}
{{- end -}}
