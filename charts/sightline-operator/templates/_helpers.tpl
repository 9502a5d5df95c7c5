{{- define "sightline-operator.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-operator" .Release.Name) (hasSuffix "operator" .Release.Name) -}}
{{- .Values.fullnameOverride | default $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "sightline-operator.namespace" -}}
{{- .Values.namespaceOverride | default .Release.Namespace -}}
{{- end -}}

{{/* The name of cluster-wide objects, which differs for releases of the same name in other namespaces. */}}
{{- define "sightline-operator.clusterName" -}}
{{- printf "%s:%s" (include "sightline-operator.namespace" .) (include "sightline-operator.fullname" .) -}}
{{- end -}}

{{/* The name of the leader's Lease. A namespace may have several operators for single namespaces. */}}
{{- define "sightline-operator.lease" -}}
{{- ternary (include "sightline-operator.fullname" .) "sightline-operator" (not (empty .Values.watchNamespaces)) -}}
{{- end -}}

{{- define "sightline-operator.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "sightline-operator.fullname" .) -}}
{{- end -}}

{{- define "sightline-operator.selector" -}}
app.kubernetes.io/name: sightline-operator
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* The metadata of an object. Takes the root and, as `annotations`, those of the object itself. */}}
{{- define "sightline-operator.metadata" -}}
labels:
  helm.sh/chart: sightline-operator-{{ .root.Chart.Version | replace "+" "_" }}
  {{- include "sightline-operator.selector" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component | default "operator" }}
  app.kubernetes.io/part-of: sightline
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  {{- with .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with mergeOverwrite (deepCopy .root.Values.commonAnnotations) (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "sightline-operator.image" -}}
{{- with .Values.global.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The security context of all pods; null omits it. */}}
{{- define "sightline-operator.podSecurity" -}}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The security context of all containers; null omits it. */}}
{{- define "sightline-operator.containerSecurity" -}}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
A ValidatingAdmissionPolicy and its binding. Takes root, name, comment, resources of sightline.dev, operation, expression,
message (an expression, too), actions, and as `param` the kind of the objects of the namespace that the expression is
evaluated with, each in turn.
*/}}
{{- define "sightline-operator.policy" }}
{{- $watched := .root.Values.watchNamespaces }}
{{- /* A cluster may have several operators for single namespaces. */}}
{{- $name := .name }}
{{- if $watched }}
{{- $name = printf "%s.%s.%s" $name (include "sightline-operator.namespace" .root) (include "sightline-operator.fullname" .root) }}
{{- end }}
# {{ .comment }}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: {{ $name }}
  {{- include "sightline-operator.metadata" (dict "root" .root) | nindent 2 }}
spec:
  failurePolicy: {{ ternary "Fail" "Ignore" (has "Deny" .actions) }}
  {{- with .param }}
  paramKind: { apiVersion: sightline.dev/v1alpha1, kind: {{ . }} }
  {{- end }}
  matchConstraints:
    resourceRules:
      - apiGroups: [sightline.dev]
        apiVersions: ['*']
        operations: [{{ .operation }}]
        resources: [{{ join ", " .resources }}]
  matchConditions:
    # Namespaces can be deleted at any time. If the controllers have no accounts of their own, all of them run as
    # system:kube-controller-manager.
    - name: not-by-the-cluster-itself
      expression: "!(request.userInfo.username in ['system:serviceaccount:kube-system:namespace-controller', 'system:serviceaccount:kube-system:generic-garbage-collector', 'system:kube-controller-manager'])"
  validations:
    - expression: {{ .expression | quote }}
      messageExpression: {{ .message | quote }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: {{ $name }}
  {{- include "sightline-operator.metadata" (dict "root" .root) | nindent 2 }}
spec:
  policyName: {{ $name }}
  validationActions: [{{ join ", " .actions }}]
  {{- if .param }}
  paramRef: { selector: {}, parameterNotFoundAction: Allow }
  {{- end }}
  {{- with $watched }}
  matchResources:
    namespaceSelector:
      matchExpressions:
        - key: kubernetes.io/metadata.name
          operator: In
          values:
            {{- toYaml . | nindent 12 }}
  {{- end }}
{{- end -}}

{{/*
Fails if values name something that the chart sets itself, or name it twice: the API server would refuse it in the middle of an
upgrade. Takes what (the value), member (the name of the member that must be unique), given, and taken (the chart's own).
*/}}
{{- define "sightline-operator.requireOwn" -}}
{{- $taken := list -}}
{{- range .taken }}{{ $taken = append $taken (index . $.member) }}{{ end -}}
{{- range .given -}}
{{- $it := index . $.member -}}
{{- if has $it $taken }}{{ fail (printf "%s has the %s %s, which the chart sets itself or which is listed twice: remove it, and use the value of the chart" $.what $.member $it) }}{{ end -}}
{{- $taken = append $taken $it -}}
{{- end -}}
{{- end -}}
