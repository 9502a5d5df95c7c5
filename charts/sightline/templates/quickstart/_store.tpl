{{/*
A store for evaluation: one pod with a volume, and its Service. Takes root, store (the name in `quickstart`), port,
user (of the image), path (of the volume), container (its env, args, command and probe), volumes and mounts.
*/}}
{{- define "sightline.quickstart.store" -}}
{{- $it := dict "root" .root "component" .store -}}
{{- $store := index .root.Values.quickstart .store -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "sightline.name" $it }}
  namespace: {{ include "sightline.namespace" .root | quote }}
  {{- include "sightline.metadata" $it | nindent 2 }}
spec:
  clusterIP: None
  selector:
    {{- include "sightline.selector" $it | nindent 4 }}
  ports:
    - { name: store, port: {{ .port }} }
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "sightline.name" $it }}
  namespace: {{ include "sightline.namespace" .root | quote }}
  {{- include "sightline.metadata" $it | nindent 2 }}
spec:
  serviceName: {{ include "sightline.name" $it }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "sightline.selector" $it | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "sightline.selector" $it | nindent 8 }}
    spec:
      serviceAccountName: {{ include "sightline.fullname" .root | quote }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with .root.Values.global.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- /* Each image has a user of its own. Where the cluster assigns users, podSecurityContext names none. */}}
      {{- with .root.Values.podSecurityContext }}
      {{- $user := dict }}
      {{- range $name := list "runAsUser" "runAsGroup" "fsGroup" }}
      {{- if hasKey $.root.Values.podSecurityContext $name }}{{ $_ := set $user $name $.user }}{{ end }}
      {{- end }}
      securityContext:
        {{- toYaml (merge $user (dict "fsGroupChangePolicy" "OnRootMismatch") .) | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .store }}
          image: {{ $store.image }}
          {{- toYaml .container | nindent 10 }}
          ports:
            - { name: store, containerPort: {{ .port }} }
          {{- include "sightline.containerSecurity" .root | nindent 10 }}
          volumeMounts:
            - { name: data, mountPath: {{ .path }} }
            - { name: tmp, mountPath: /tmp }
            {{- with .mounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
        {{- with .volumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .root.Values.quickstart.storageClassName }}
        storageClassName: {{ . | quote }}
        {{- end }}
        resources: { requests: { storage: {{ $store.size }} } }
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "sightline.name" $it }}
  namespace: {{ include "sightline.namespace" .root | quote }}
  {{- include "sightline.metadata" $it | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "sightline.selector" $it | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    # The pods of the release, and those in the namespace that run or fetch models.
    - from: [{ podSelector: {} }]
      ports: [{ port: store }]
{{- end }}
{{- end -}}
