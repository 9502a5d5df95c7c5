#!/bin/bash
# control-plane.sh start|stop|status: etcd and kube-apiserver on 127.0.0.1, and, unless API_ONLY=1,
# kube-controller-manager and kube-scheduler. Everything lies below $CLUSTER_DIR.
#   NETNS=name          the network namespace to run them in (node.sh sets it); ADDRESS is their address there
#   API_PORT, ETCD_PORT, ETCD_PEER_PORT   ports, so that several can run at the same time (6443, 2379, 2380)
#   RUN=folder          the folder of logs, process ids and data ($CLUSTER_DIR/run)
#   KEEP=1              keeps the data of the previous start
#   API_FLAGS, MANAGER_FLAGS   further flags of both programs
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
K=${CLUSTER_DIR:-$PWD/.cache/cluster}
B=$K/bin R=${RUN:-$K/run} ADDRESS=${ADDRESS:-127.0.0.1}
P=$R/pki PORT=${API_PORT:-6443} ETCD=${ETCD_PORT:-2379} PEER=${ETCD_PEER_PORT:-2380}
PARTS="kube-scheduler kube-controller-manager kube-apiserver etcd"
enter=()
[ -n "${NETNS:-}" ] && enter=(nsenter "--net=/run/netns/$NETNS")
mkdir -p "$R"

run() {
  local name=$1
  shift
  "${enter[@]}" setsid "$B/$name" "$@" >"$R/$name.log" 2>&1 </dev/null &
  echo $! >"$R/$name.pid"
}
stop() {
  for name in $PARTS; do
    [ -e "$R/$name.pid" ] || continue
    local pid
    pid=$(cat "$R/$name.pid")
    # The id may belong to another process by now, if the run was cut off.
    if grep -qF "$R" "/proc/$pid/cmdline" 2>/dev/null && kill "$pid" 2>/dev/null; then timeout 20 tail -s 0.1 --pid="$pid" -f /dev/null || kill -9 "$pid" || true; fi
    rm -f "$R/$name.pid"
  done
}
kc() { "${enter[@]}" "$B/kubectl" "--kubeconfig=$P/admin.kubeconfig" "$@"; }
began=$(date +%s%3N)
since() { echo "$1 after $(($(date +%s%3N) - began)) ms"; }

case ${1:-start} in
stop)
  stop
  exit
  ;;
status)
  for name in $PARTS; do
    [ -e "$R/$name.pid" ] || continue
    pid=$(cat "$R/$name.pid")
    printf '%-26s process %s, %s MiB\n' "$name" "$pid" $(($(awk '/VmRSS/ { print $2 }' "/proc/$pid/status") / 1024))
  done
  exit
  ;;
start) ;;
*)
  echo "usage: control-plane.sh start|stop|status" >&2
  exit 2
  ;;
esac

API_PORT=$PORT "$HERE/certs.sh" "$P" "$ADDRESS"
[ -n "${KEEP:-}" ] || rm -rf "$R/etcd"
run etcd --name=e "--data-dir=$R/etcd" --unsafe-no-fsync \
  "--listen-client-urls=http://127.0.0.1:$ETCD" "--advertise-client-urls=http://127.0.0.1:$ETCD" \
  "--listen-peer-urls=http://127.0.0.1:$PEER" "--initial-advertise-peer-urls=http://127.0.0.1:$PEER" \
  "--initial-cluster=e=http://127.0.0.1:$PEER"
flags=()
# The service "kubernetes" has no endpoints in this case, because endpoints may not be loopback
# addresses.
[ "$ADDRESS" = 127.0.0.1 ] && flags=(--endpoint-reconciler-type=none)
run kube-apiserver "--etcd-servers=http://127.0.0.1:$ETCD" "--bind-address=${BIND:-127.0.0.1}" "--secure-port=$PORT" "--advertise-address=$ADDRESS" \
  --service-cluster-ip-range=10.96.0.0/16 --allow-privileged=true --anonymous-auth=false \
  --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction \
  "--tls-cert-file=$P/apiserver.crt" "--tls-private-key-file=$P/apiserver.key" "--client-ca-file=$P/ca.crt" \
  --service-account-issuer=https://kubernetes.default.svc.cluster.local "--service-account-key-file=$P/sa.pub" "--service-account-signing-key-file=$P/sa.key" \
  "--kubelet-client-certificate=$P/apiserver-kubelet-client.crt" "--kubelet-client-key=$P/apiserver-kubelet-client.key" \
  "--kubelet-certificate-authority=$P/ca.crt" --kubelet-preferred-address-types=InternalIP \
  "--requestheader-client-ca-file=$P/front-proxy-ca.crt" --requestheader-allowed-names=front-proxy-client \
  --requestheader-extra-headers-prefix=X-Remote-Extra- --requestheader-group-headers=X-Remote-Group --requestheader-username-headers=X-Remote-User \
  "--proxy-client-cert-file=$P/front-proxy-client.crt" "--proxy-client-key-file=$P/front-proxy-client.key" \
  "${flags[@]}" ${API_FLAGS:-}
until "${enter[@]}" curl -sf --cacert "$P/ca.crt" --cert "$P/admin.crt" --key "$P/admin.key" "https://127.0.0.1:$PORT/readyz" >/dev/null; do
  kill -0 "$(cat "$R/kube-apiserver.pid")" || {
    tail -20 "$R/kube-apiserver.log"
    exit 1
  }
  sleep 0.1
done
since "the API server is ready"
if [ -n "${API_ONLY:-}" ]; then exit 0; fi
# The controller manager exits if it starts before the API server is ready.
run kube-controller-manager "--kubeconfig=$P/controller-manager.kubeconfig" "--authentication-kubeconfig=$P/controller-manager.kubeconfig" \
  "--authorization-kubeconfig=$P/controller-manager.kubeconfig" --secure-port=0 \
  "--service-account-private-key-file=$P/sa.key" "--root-ca-file=$P/ca.crt" "--cluster-signing-cert-file=$P/ca.crt" "--cluster-signing-key-file=$P/ca.key" \
  --use-service-account-credentials=true --leader-elect=false --cluster-cidr=10.244.0.0/16 "--allocate-node-cidrs=${ALLOCATE:-false}" ${MANAGER_FLAGS:-}
run kube-scheduler "--kubeconfig=$P/scheduler.kubeconfig" "--authentication-kubeconfig=$P/scheduler.kubeconfig" \
  "--authorization-kubeconfig=$P/scheduler.kubeconfig" --secure-port=0 --leader-elect=false
for _ in $(seq 300); do
  if kc get serviceaccount default >/dev/null 2>&1; then break; fi
  sleep 0.1
done
since "controllers work"
