{{/*
The Deployment of a component, and its PodDisruptionBudget. Takes root, component, main (the path of the program),
groups (of variables), and `serves` (true if the component serves requests).
*/}}
{{- define "sightline.deployment" -}}
{{- $values := index .root.Values .component -}}
{{- $it := merge (dict "values" $values "groups" (prepend .groups "process")) . -}}
{{- $calls := and (has .component (list "api" "worker")) (or (eq .component "worker") (eq .root.Values.activation "api") (include "sightline.isEmbedded" .root)) -}}
{{- $name := include "sightline.name" . -}}
{{- $namespace := include "sightline.namespace" .root -}}
{{- /* After autoscaling is turned off, the count of the HorizontalPodAutoscaler stays, which this upgrade deletes. */}}
{{- $isScaled := and $values.autoscaling (or $values.autoscaling.enabled (lookup "autoscaling/v2" "HorizontalPodAutoscaler" $namespace $name)) -}}
{{- $running := ternary (lookup "apps/v1" "Deployment" $namespace $name) nil (not (empty $isScaled)) -}}
{{- /* A release that stops setting the count that it owns resets it to 1. A count that others own stays without it. */}}
{{- $isOwned := false }}
{{- range dig "metadata" "managedFields" list ($running | default dict) }}
{{- if and (eq .manager "helm") (hasKey (dig "f:spec" dict .fieldsV1) "f:replicas") }}
{{- $isOwned = true }}
{{- end }}
{{- end }}
{{- /* The init container reaches the database as the process does, with the same mounted certificates. */}}
{{- $waiting := set (pick $values "extraEnv" "extraVolumeMounts") "resources" .root.Values.migrate.resources -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sightline.name" . }}
  namespace: {{ include "sightline.namespace" .root | quote }}
  {{- include "sightline.metadata" . | nindent 2 }}
spec:
  {{- if not $isScaled }}
  replicas: {{ $values.replicas }}
  {{- else if and $running (or $isOwned (not $values.autoscaling.enabled)) }}
  # The running count.
  replicas: {{ $running.spec.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    {{- include "sightline.updateStrategy" $values.updateStrategy | nindent 4 }}
  selector:
    matchLabels:
      {{- include "sightline.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "sightline.selector" . | nindent 8 }}
        sightline.dev/role: {{ .component }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: {{ $calls }}
      # A process stops within the drain time and 20 seconds.
      terminationGracePeriodSeconds: {{ max 60 (add 30 (int .root.Values.api.drainSeconds)) }}
      {{- include "sightline.podDefaults" $it | nindent 6 }}
      topologySpreadConstraints:
        {{- with $values.topologySpreadConstraints }}
        {{- toYaml . | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "sightline.selector" . | nindent 14 }}
        {{- end }}
      initContainers:
        # Pods of a new release wait for its migration, while those of the old release answer requests.
        - {{- include "sightline.container" (dict "root" .root "component" .component "name" "await-schema" "args" (list "apps/cli/src/main.ts" "await-schema") "groups" (list "database") "values" $waiting) | nindent 10 }}
      containers:
        - {{- include "sightline.container" (merge (dict "name" .component "args" (list .main)) $it) | nindent 10 }}
          ports:
            {{- if .serves }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            - { name: ops, containerPort: 9464 }
          livenessProbe:
            httpGet: { path: /livez, port: ops }
            timeoutSeconds: 5
            periodSeconds: 10
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: ops }
            timeoutSeconds: 5
            periodSeconds: 5
            failureThreshold: 2
      volumes:
        {{- include "sightline.volumes" $it | nindent 8 }}
{{- with $values.podDisruptionBudget }}
{{- if .enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "sightline.name" $ }}
  namespace: {{ include "sightline.namespace" $.root | quote }}
  {{- include "sightline.metadata" $ | nindent 2 }}
spec:
  maxUnavailable: {{ .maxUnavailable }}
  # A pod that is not ready does not block the drain of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "sightline.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Removes the settings of rolling updates, which are in the default values, for any other strategy. */}}
{{- define "sightline.updateStrategy" -}}
{{- toYaml (ternary (pick . "type") . (eq .type "Recreate")) -}}
{{- end -}}
