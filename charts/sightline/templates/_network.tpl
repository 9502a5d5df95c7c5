{{/*
The NetworkPolicy of a component. Takes root, component, `reaches` (the names of the rules below that the component may
reach), `serves` (true if it serves requests), and the annotations of a hook.
*/}}
{{- define "sightline.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "sightline.name" . }}
  namespace: {{ include "sightline.namespace" .root | quote }}
  {{- include "sightline.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "sightline.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- if or .serves $policy.metricsFrom }}
  ingress:
    {{- if .serves }}
    - ports: [{ port: http }]
      {{- with $policy.apiFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        # helm test
        - podSelector:
            matchLabels:
              {{- include "sightline.selector" (dict "root" $.root "component" "test") | nindent 14 }}
      {{- end }}
    {{- end }}
    {{- with $policy.metricsFrom }}
    - ports: [{ port: ops }]
      from:
        {{- toYaml . | nindent 8 }}
    {{- end }}
  {{- end }}
  egress:
    {{- include "sightline.network.egress" (dict "root" .root "reaches" .reaches) | nindent 4 }}
{{- end -}}

{{/* The egress rules. Takes root and `reaches`. All pods may reach DNS. */}}
{{- define "sightline.network.egress" -}}
{{- $rules := list -}}
{{- range prepend .reaches "dns" -}}
{{- $rules = include (printf "sightline.network.%s" .) $.root | fromYamlArray | concat $rules -}}
{{- end -}}
{{- toYaml $rules -}}
{{- end -}}

{{/* A rule. Takes ports (if empty, all ports) and peers (if empty, any peer). */}}
{{- define "sightline.network.peers" -}}
{{- $rule := dict -}}
{{- if .ports -}}
{{- $ports := list -}}
{{- range $port := .ports -}}
{{- range $.protocols | default (list "TCP") -}}
{{- $ports = append $ports (dict "port" $port "protocol" .) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $rule "ports" $ports -}}
{{- end -}}
{{- with .to -}}
{{- $_ := set $rule "to" . -}}
{{- end -}}
{{- list $rule | toYaml -}}
{{- end -}}

{{- define "sightline.network.dns" -}}
{{- include "sightline.network.peers" (merge (dict "protocols" (list "TCP" "UDP")) .Values.networkPolicy.dns) -}}
{{- end -}}

{{/* The ports of addresses. Takes a list of URLs or of host:port. */}}
{{- define "sightline.network.ports" -}}
{{- $ports := list -}}
{{- range . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" .) -}}
{{- $ports = append $ports ($port | default (ternary "443" "80" (hasPrefix "https:" .)) | int) -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}

{{/* The peers of a store as JSON; [] allows any peer. Takes root and the store. */}}
{{- define "sightline.network.storePeers" -}}
{{- $to := index .root.Values.networkPolicy .store "to" -}}
{{- if include "sightline.brings" (dict "root" .root "store" (.brought | default .store)) -}}
{{- $labels := include "sightline.selector" (dict "root" .root "component" (.brought | default .store)) | fromYaml -}}
{{- $to = list (dict "podSelector" (dict "matchLabels" $labels)) -}}
{{- end -}}
{{- $to | toJson -}}
{{- end -}}

{{/*
The rule for a store. Takes root, the store, the ports of its address, which values may override, and as `more` ports that
they do not override.
*/}}
{{- define "sightline.network.store" -}}
{{- $to := include "sightline.network.storePeers" . | fromJsonArray -}}
{{- $ports := (index .root.Values.networkPolicy .store).ports | default .ports -}}
{{- $ports = concat $ports (.more | default list) | toJson | fromJsonArray | uniq -}}
{{- include "sightline.network.peers" (dict "ports" $ports "to" $to) -}}
{{- end -}}

{{- define "sightline.network.database" -}}
{{- include "sightline.network.store" (dict "root" . "store" "database" "brought" "postgres" "ports" (list .Values.database.port)) -}}
{{- end -}}

{{- define "sightline.network.s3" -}}
{{- $sts := ternary .Values.s3.webIdentity.stsEndpoint "" .Values.s3.webIdentity.enabled -}}
{{- $ports := include "sightline.network.ports" (list (include "sightline.s3.endpoint" .)) | fromJsonArray -}}
{{- $more := include "sightline.network.ports" (compact (list $sts)) | fromJsonArray -}}
{{- include "sightline.network.store" (dict "root" . "store" "s3" "ports" $ports "more" $more) -}}
{{- end -}}

{{- define "sightline.network.qdrant" -}}
{{- if not (include "sightline.isEmbedded" .) -}}
{{- $ports := include "sightline.network.ports" (list (include "sightline.qdrant.url" .)) | fromJsonArray -}}
{{- include "sightline.network.store" (dict "root" . "store" "qdrant" "ports" $ports) -}}
{{- end -}}
{{- end -}}

{{- define "sightline.network.kafka" -}}
{{- with include "sightline.kafka.brokers" . -}}
{{- $ports := include "sightline.network.ports" (splitList "," .) | fromJsonArray -}}
{{- include "sightline.network.store" (dict "root" $ "store" "kafka" "ports" $ports) -}}
{{- end -}}
{{- end -}}

{{- define "sightline.network.inference" -}}
- ports: [{ port: 8080, protocol: TCP }]
  to:
    - podSelector: { matchLabels: { sightline.dev/inference: 'true' } }
{{- end -}}

{{- define "sightline.network.api" -}}
- ports: [{ port: 8080, protocol: TCP }]
  to:
    - podSelector:
        matchLabels:
          {{- include "sightline.selector" (dict "root" . "component" "api") | nindent 10 }}
{{- end -}}

{{- define "sightline.network.kubernetes" -}}
{{- include "sightline.network.peers" .Values.networkPolicy.kubernetesApi -}}
{{- end -}}

{{- define "sightline.network.world" -}}
{{- with .Values.networkPolicy.world -}}
{{- if .to -}}
{{- include "sightline.network.peers" . -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "sightline.network.identityProvider" -}}
{{- with .Values.accounts.oidc.issuer -}}
{{- $provider := $.Values.networkPolicy.identityProvider -}}
{{- if $provider.to -}}
{{- $address := regexReplaceAll "^(https?://[^/]+).*$" . "${1}" -}}
{{- $ports := $provider.ports | default (include "sightline.network.ports" (list $address) | fromJsonArray) -}}
{{- include "sightline.network.peers" (dict "ports" $ports "to" $provider.to) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "sightline.network.modelSources" -}}
{{- with .Values.networkPolicy.modelSources -}}
{{- if .to -}}
{{- include "sightline.network.peers" . -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The rule for the proxy. A rule for any address on a port such as 80 would cancel the exceptions of `world`. */}}
{{- define "sightline.network.proxy" -}}
{{- with .Values.downloads.proxy.url -}}
{{- $proxy := $.Values.networkPolicy.proxy -}}
{{- if $proxy.to -}}
{{- $ports := $proxy.ports | default (include "sightline.network.ports" (list .) | fromJsonArray) -}}
{{- include "sightline.network.peers" (dict "ports" $ports "to" $proxy.to) -}}
{{- else if $.Values.networkPolicy.enabled -}}
{{- fail "networkPolicy.proxy.to is missing: the peers that are the proxy of downloads.proxy.url" -}}
{{- end -}}
{{- end -}}
{{- end -}}
